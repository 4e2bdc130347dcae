import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { sizeText } from "../characters.ts";
import { AppError, errorCodeOf } from "../errors.ts";

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
const HEAD_BYTES = 4_096;
/** The suffix of the folder backend's marks, which are stored next to temporary uploads. */
export const MARK = ".kept";

/** A completely received file; it is temporary until it is stored. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Its first 4 KiB, from which its type is detected. */
  readonly head: Buffer;
}

/** The local folder for temporary uploads, whatever the storage backend. */
export interface TemporaryUploads {
  /**
   * Streams a file to disk. @throws `payload_too_large`, `unavailable` (disk full); nothing is left of it
   * then
   */
  readonly receive: (
    source: Readable,
    limits: { readonly maxBytes: number },
  ) => Promise<ReceivedFile>;
  /** Removes a received file; does nothing if it was stored. */
  readonly discard: (received: ReceivedFile) => Promise<void>;
  /** Removes older files; returns how many. */
  readonly sweep: (olderThan: Date) => Promise<number>;
}

/** @throws `invalid_config` if the folder cannot be created */
export function createTemporaryUploads(folder: string): TemporaryUploads {
  makeFolder(folder);
  return {
    receive: async (source, { maxBytes }) => {
      const path = join(folder, randomUUID());
      try {
        return await writeStream(path, source, maxBytes);
      } catch (error) {
        await rm(path, { force: true });
        throw diskFault(error);
      }
    },
    discard: ({ path }) => rm(path, { force: true }),
    sweep: async (olderThan) => {
      let removed = 0;
      for (const name of await readdir(folder)) {
        if (name.endsWith(MARK)) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (found === null || found.mtimeMs >= olderThan.getTime()) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** Creates a folder that only the service can read. @throws `invalid_config` */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw new AppError("invalid_config", `The folder ${path} cannot be created.`, { cause });
  }
}

async function writeStream(
  path: string,
  source: Readable,
  maxBytes: number,
): Promise<ReceivedFile> {
  const handle = await open(path, "wx", FILE_MODE);
  try {
    const hash = createHash("sha256");
    const head: Buffer[] = [];
    let size = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
      size += chunk.length;
      if (size > maxBytes) {
        throw new AppError("payload_too_large", `The file is larger than ${sizeText(maxBytes)}.`);
      }
      hash.update(chunk);
      await handle.appendFile(chunk);
    }
    return { path, size, sha256: hash.digest("hex"), head: Buffer.concat(head) };
  } finally {
    await handle.close();
  }
}

/** A full disk becomes a retryable `unavailable`; anything else is returned unchanged. */
export function diskFault(error: unknown): unknown {
  const code = errorCodeOf(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  const detail = "There is not enough disk space for the file. Try again later.";
  return new AppError("unavailable", detail, { retryable: true, cause: error });
}
