import { request } from "node:http";
import { errorCodeOf } from "../../../services/platform/errors.ts";

const ANSWER_MS = 3_000;

/** The status of a GET, 0 without an answer within 3 s; keeps no connection open. */
export async function httpStatus(url: string): Promise<number> {
  const answer = await probe(url);
  return typeof answer === "number" ? answer : 0;
}

/** Without a reaction of the process, or without a process that listens. */
const SILENCE = ["ETIMEDOUT", "ECONNREFUSED"];

/** Whether a process reacts to a GET within 3 s, by an answer or by closing the connection; a frozen one does neither. */
export async function reactsTo(url: string): Promise<boolean> {
  return !isSilence(await probe(url));
}

/**
 * Whether a status, or the code of an error, shows that the process does not react. What it closes it has seen, and an
 * error of ours, such as EMFILE or EADDRNOTAVAIL, says nothing of it.
 */
export function isSilence(answer: number | string): boolean {
  return typeof answer === "string" && SILENCE.includes(answer);
}

/** The status, or the code of the error. */
function probe(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false, timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("timeout", () => {
      resolve("ETIMEDOUT");
      sent.destroy();
    });
    sent.once("error", (error) => resolve(errorCodeOf(error)));
    sent.end();
  });
}
