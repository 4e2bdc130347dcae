import { readFile, stat } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { checkDocument } from "./check-document.ts";
import { unreadable } from "./check-result.ts";
import type { CheckAnswer } from "./warm-worker.ts";

/** Uploads are at most 20 MiB; a larger file in the store could exceed the worker's memory. */
const MAX_BYTES = 32 * 1024 * 1024;

async function checkFile(path: string): Promise<CheckAnswer> {
  let bytes: Buffer;
  try {
    if ((await stat(path)).size > MAX_BYTES) {
      return { kind: "checked", result: unreadable("The file is too large.") };
    }
    bytes = await readFile(path);
  } catch (error) {
    return { kind: "unavailable", reason: error instanceof Error ? error.message : "unknown" };
  }
  return { kind: "checked", result: await checkDocument(bytes) };
}

const port = parentPort;
if (port === null) throw new TypeError("this file runs as a worker only");

port.on("message", (path: string) => {
  void checkFile(path).then((answer) => port.postMessage(answer));
});
port.postMessage("ready");
