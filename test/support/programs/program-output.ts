import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

/** Returns a function that gives a program's output so far, of both streams. */
export function outputOf(program: ChildProcessByStdio<null, Readable, Readable>): () => string {
  let output = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return () => output;
}
