import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Host } from "./host.ts";

/** What is typed or piped in, until its end; Ctrl-C ends the reading with an error. */
export function readInput({ stdin, signal }: Pick<Host, "stdin" | "signal">): Promise<Buffer> {
  return buffer(addAbortSignal(signal, stdin));
}
