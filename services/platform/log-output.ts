import { fstatSync, writeSync } from "node:fs";
import type { DestinationStream } from "pino";

const STANDARD_OUTPUT = 1;
const MOST_WAITING_BYTES = 1_000_000;
const RETRY_MS = 50;
/** How long the end of the process waits for a pipe that is full. */
const LAST_TRIES = 20;
const BETWEEN_TRIES_MS = 10;

export interface LogOutputOptions {
  /** The line that reports how many lines were lost. */
  readonly describeLoss: (lines: number) => string;
  /** Writes some of the bytes and returns how many; throws where that is not possible now. */
  readonly write: (bytes: Uint8Array) => number;
  readonly mostWaitingBytes?: number;
}

/**
 * Standard output with one write per event loop tick: the system call is the main cost of a line. A line that cannot be
 * written (a full disk, a full or closed pipe) never fails its caller: 1 MB of lines waits until writing works again,
 * what comes after is lost, and reported by one line.
 */
export class LogOutput implements DestinationStream {
  readonly #options: Required<LogOutputOptions>;
  #lines: string[] = [];
  /** What a write has left over; it may begin within a line. */
  #waiting = Buffer.alloc(0);
  #lost = 0;
  #retry: NodeJS.Timeout | null = null;
  readonly #onExit = (): void => this.#writeLast();

  constructor(options: LogOutputOptions) {
    this.#options = { mostWaitingBytes: MOST_WAITING_BYTES, ...options };
  }

  write(line: string): void {
    if (this.#waiting.length >= this.#options.mostWaitingBytes) {
      this.#lost += 1;
      return;
    }
    if (this.#lines.length === 0) {
      process.off("exit", this.#onExit).once("exit", this.#onExit);
      setImmediate(() => this.flushSync());
    }
    this.#lines.push(line);
  }

  /** Writes what it can at once; pino's own flush would wait for the disk. */
  flushSync(): void {
    this.#gather();
    const { write } = this.#options;
    try {
      while (this.#waiting.length > 0) this.#waiting = this.#waiting.subarray(write(this.#waiting));
    } catch {
      // Only the log itself can report it, which gets the lines, or their number, when it can be written again.
      this.#retryLater();
      return;
    }
    if (this.#lost > 0) this.#reportLoss();
    else process.off("exit", this.#onExit);
  }

  #gather(): void {
    if (this.#lines.length === 0) return;
    const lines = Buffer.from(this.#lines.join(""));
    this.#waiting = this.#waiting.length === 0 ? lines : Buffer.concat([this.#waiting, lines]);
    this.#lines = [];
  }

  #reportLoss(): void {
    this.#lines.unshift(this.#options.describeLoss(this.#lost));
    this.#lost = 0;
    this.flushSync();
  }

  #retryLater(): void {
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.flushSync();
    }, RETRY_MS).unref();
  }

  #writeLast(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < LAST_TRIES; tries += 1) {
      this.flushSync();
      if (this.#waiting.length === 0) return;
      Atomics.wait(pause, 0, 0, BETWEEN_TRIES_MS);
    }
  }
}

/** Writes to standard output, without ever waiting for whoever reads it: throws EAGAIN while a pipe is full. */
export function openStandardOutput(): (bytes: Uint8Array) => number {
  // Node sets a pipe to non-blocking when it opens its stream.
  if (!fstatSync(STANDARD_OUTPUT).isFile()) Reflect.get(process, "stdout");
  return (bytes) => writeSync(STANDARD_OUTPUT, bytes);
}
