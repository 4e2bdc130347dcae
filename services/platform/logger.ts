import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { fstatSync, writeSync } from "node:fs";
import { runningSpan } from "./tracing/tracing.ts";

export type { Logger };

const WARN = 40;
const REDACTED_FIELDS: ReadonlySet<string> = new Set([
  "key",
  "api_key",
  "signing_secret",
  "webhook_signing_secret",
  "secret",
  "token",
  "pin",
  "pin_passcode",
  "account_number",
  "attempted_pin",
  "port_out_pin",
  "phone_number",
  "phone_numbers",
  "authorization",
  "field_value",
  "field_values",
  "payload",
  "body",
]);

const CREDENTIAL = /\b(nps_(?:live|desk|sess|link|portal)_|whsec_)[A-Za-z0-9+/=]+/g;
const PHONE_NUMBER = /\+\d{5,13}(\d{2})\b/g;

/** Hides keys, secrets and all but the last two digits of phone numbers inside free text. */
export function scrub(text: string): string {
  if (!text.includes("_") && !text.includes("+")) return text;
  return text.replace(CREDENTIAL, "$1[redacted]").replace(PHONE_NUMBER, "+…$1");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Much cheaper than pino's own wildcard redaction, which matters for a line per request. */
function redact(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    let shown = value;
    if (REDACTED_FIELDS.has(name)) shown = "[redacted]";
    else if (depth > 1 && isRecord(value)) shown = redact(value, depth - 1);
    if (shown === value) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** Names the trace that the line belongs to. */
function withTrace(fields: Record<string, unknown>): Record<string, unknown> {
  const span = runningSpan();
  return span === null ? fields : { ...fields, trace_id: span.traceId };
}

function serializeError(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? serializeError(error.cause) : undefined;
  return {
    type: error.name,
    ...("code" in error ? { code: error.code } : {}),
    message: scrub(error.message),
    stack: scrub(error.stack ?? ""),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** Standard output, where a line that reports lost lines looks like any other. */
function standardOutput(service: string): DestinationStream {
  const base = { level: WARN, service, pid: process.pid };
  return new LogOutput({
    write: openStandardOutput(),
    describeLoss: (lines) => {
      const line = { ...base, time: new Date().toISOString(), lines, msg: "log lines were lost" };
      return `${JSON.stringify(line)}\n`;
    },
  });
}

/** Writes the time of a line; those of a busy process share it with others of the same millisecond. */
function lineTimes(): () => string {
  let atMs = Number.NaN;
  let written = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      written = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return written;
  };
}

/** JSON lines on standard output, one per outcome; redaction happens here and nowhere else. */
export function createLogger(
  service: string,
  level: string,
  into: DestinationStream = standardOutput(service),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: lineTimes(),
    serializers: { err: serializeError },
    formatters: { log: (fields) => withTrace(redact(fields, 2)) },
    hooks: {
      logMethod(args, method) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === "string" ? scrub(arg) : arg)) as typeof args,
        );
      },
    },
  };
  return pino(options, into);
}

const STANDARD_OUTPUT = 1;
const MOST_WAITING_BYTES = 1_000_000;
const RETRY_MS = 50;
/** How long the end of the process waits for a pipe that is full. */
const LAST_TRIES = 20;
const BETWEEN_TRIES_MS = 10;

interface LogOutputOptions {
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
function openStandardOutput(): (bytes: Uint8Array) => number {
  // Node sets a pipe to non-blocking when it opens its stream.
  if (!fstatSync(STANDARD_OUTPUT).isFile()) Reflect.get(process, "stdout");
  return (bytes) => writeSync(STANDARD_OUTPUT, bytes);
}
