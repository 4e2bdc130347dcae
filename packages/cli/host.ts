import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/** Where text goes: a terminal, a file or a pipe. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The parts of the process that commands use, so that a test can pass its own. */
export interface Host {
  /** Without the program's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Out;
  readonly stderr: Out;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The folder of the clone, in which `npm start` keeps `.data`. */
  readonly projectRoot: string;
}

/** What is typed or piped in, until its end; Ctrl-C ends the reading with an error. */
export function readInput({ stdin, signal }: Pick<Host, "stdin" | "signal">): Promise<Buffer> {
  return buffer(addAbortSignal(signal, stdin));
}
