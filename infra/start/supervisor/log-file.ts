import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
} from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** How large a log may get before it is rotated. */
const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 8_192;

/** Opens a program's log for appending; one that has grown past 20 MB is renamed to `.1` first. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  if (logSize(path) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

/** The size of a log in bytes, which is the offset of its next line. */
export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function textSince(path: string, start: number): string {
  const size = logSize(path);
  return bytesSince(path, Math.max(start > size ? 0 : start, size - TAIL_BYTES)).toString("utf8");
}

/** The bytes of a log from an offset to its end. */
function bytesSince(path: string, from: number): Buffer {
  const buffer = Buffer.alloc(Math.max(logSize(path) - from, 0));
  if (buffer.length === 0) return buffer;
  const file = openSync(path, "r");
  try {
    readSync(file, buffer, 0, buffer.length, from);
    return buffer;
  } finally {
    closeSync(file);
  }
}

interface PinoLine {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

const PINO_ERROR = 50;

function parseLine(line: string): PinoLine {
  if (!line.startsWith("{")) return { msg: line };
  try {
    return JSON.parse(line) as PinoLine;
  } catch {
    return { msg: line };
  }
}

/** The last error in a program's log after the offset `start`, else the last line; empty when there is none. */
export function lastError(path: string, start: number): string {
  const lines = textSince(path, start)
    .split("\n")
    // Without the lines of a stack trace: the message is above them.
    .filter((line) => line !== "" && !/^\s/.test(line))
    .map(parseLine);
  const last = lines.findLast(({ level = 0 }) => level >= PINO_ERROR) ?? lines.at(-1);
  const parts = [last?.msg, last?.err?.message].filter((part) => part !== undefined);
  return parts.join(": ").slice(0, 300);
}

const LOOK_EVERY_MS = 5_000;

export interface LogRotationOptions {
  readonly path: string;
  readonly rotateAtBytes?: number;
  readonly everyMs?: number;
  /** Called with the error of the first of several attempts that fail. */
  readonly onFault: (error: unknown) => void;
}

/** Keeps a log that a process has open from growing past 20 MB or so, until `over` is aborted. */
export async function keepLogSmall(options: LogRotationOptions, over: AbortSignal): Promise<void> {
  const { path, rotateAtBytes = ROTATE_AT_BYTES, everyMs = LOOK_EVERY_MS, onFault } = options;
  let fails = false;
  while (!over.aborted) {
    try {
      if (logSize(path) > rotateAtBytes) await rotate(path);
      fails = false;
    } catch (error) {
      if (!fails) onFault(error);
      // oxlint-disable-next-line no-useless-assignment -- the next round reads it
      fails = true;
    }
    await pause(everyMs, undefined, { signal: over }).catch(() => undefined);
  }
}

/**
 * Copies the log to `.1` and empties it: the process that has it open appends at its new end. Lines that it writes while
 * the file is copied are copied too.
 */
async function rotate(path: string): Promise<void> {
  const kept = `${path}.1`;
  await rm(kept, { force: true });
  try {
    await copyFile(path, kept);
    // Without a wait between the last copied byte and the end of the file.
    appendFileSync(kept, bytesSince(path, logSize(kept)));
    truncateSync(path);
  } catch (error) {
    // On a full disk half of a copy only takes space from the log.
    await rm(kept, { force: true });
    throw error;
  }
}
