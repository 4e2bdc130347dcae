import { appendFileSync, truncateSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { bytesSince, logSize, ROTATE_AT_BYTES } from "./log-file.ts";

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
