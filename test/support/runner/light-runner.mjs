import { readFileSync } from "node:fs";
import { createRunner } from "jest-light-runner";
import Tinypool from "tinypool";

/**
 * The light runner, with two things that it lacks. A child process that asks for its settings is answered even where
 * others started in the same moment: the runner answers all who listen, once, also those who have not asked yet and so miss it,
 * and then wait for ever. And a file has a limit.
 */

/** Far above the slowest file; nightly ones try hundreds of crashes, one after the other. */
const FILE_MINUTES = 10;
const NIGHTLY_MINUTES = 100;

function minutesOf(file) {
  return readFileSync(file, "utf8").startsWith("/** @tier nightly")
    ? NIGHTLY_MINUTES
    : FILE_MINUTES;
}

/** Listens at the runner's channel only while its worker asks, so that it alone is answered. */
function askedAlone(shared) {
  let listener;
  return {
    onMessage: (own) => (listener = own),
    postMessage: (message) => {
      shared.onMessage(listener);
      shared.postMessage(message);
    },
  };
}

const { run } = Tinypool.prototype;
Tinypool.prototype.run = function runLimited(file, { channel } = {}) {
  const minutes = minutesOf(file);
  const signal = AbortSignal.timeout(minutes * 60_000);
  const options = channel === undefined ? { signal } : { channel: askedAlone(channel), signal };
  return run.call(this, file, options).catch((error) => {
    throw signal.aborted ? new Error(`The file takes longer than ${minutes} minutes.`) : error;
  });
};

export default createRunner();
