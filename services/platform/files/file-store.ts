import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { AppError } from "../errors.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const HEAD_BYTES = 4_096;
const INCOMING = "incoming";
/** Of a kept file whose row may not be committed: `incoming/<id>.kept`. */
const MARK = ".kept";

/** A file that came in whole; it is nobody's until it is kept. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Its first bytes, by which its type is told. */
  readonly head: Buffer;
}

export interface OpenFile {
  readonly size: number;
  readonly content: Readable;
}

export interface SweepOptions {
  /** What is younger may still be under way. */
  readonly olderThan: Date;
  /** Which of the ids have their row. */
  readonly findKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Files under ids, each durable before the row that names it is committed. In this order: `receive`, `keep`, the row's
 * transaction, then `settle`, or `remove` where it was refused. Where nobody knows whether it was committed, nothing:
 * `sweep` asks for the row a day later.
 */
export interface FileStore {
  /** Streams a file to the disk. @throws `payload_too_large`, `unavailable` (disk full); then nothing is left of it */
  receive(source: Readable, limits: { readonly maxBytes: number }): Promise<ReceivedFile>;
  /** Puts a received file under its id, durably. */
  keep(received: ReceivedFile, id: string): Promise<void>;
  /** Receives and keeps what is in memory already. */
  write(id: string, content: Buffer): Promise<void>;
  /** The row of a kept file is committed. */
  settle(id: string): Promise<void>;
  /** Removes a kept file whose row was not written. */
  remove(id: string): Promise<void>;
  /** Removes a received file; nothing happens where it was kept. */
  discard(received: ReceivedFile): Promise<void>;
  /** @throws `internal` where there is no such file */
  open(id: string): Promise<OpenFile>;
  /** Where the file of an id lies, if there is one. */
  pathOf(id: string): string;
  /** Removes what processes that were killed have left; the number of files removed. */
  sweep(options: SweepOptions): Promise<number>;
}

/** @throws `invalid_config` where the folder cannot be made */
export function createFileStore(folder: string): FileStore {
  const incoming = join(folder, INCOMING);
  makeFolder(incoming);
  // The end of a version 7 UUID is random, its beginning the time: by the end, folders fill evenly.
  const pathOf = (id: string): string => join(folder, id.slice(-2), id);
  const markOf = (id: string): string => join(incoming, id + MARK);

  const receive: FileStore["receive"] = async (source, { maxBytes }) => {
    const path = join(incoming, randomUUID());
    try {
      return await writeStream(path, source, maxBytes);
    } catch (error) {
      await remove(path);
      throw diskFault(error);
    }
  };
  const keep: FileStore["keep"] = async (received, id) => {
    const path = pathOf(id);
    try {
      await writeFile(markOf(id), "", { mode: FILE_MODE });
      await sync(received.path);
      const made = await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      if (made !== undefined) await sync(folder);
      await rename(received.path, path);
      await sync(dirname(path));
    } catch (error) {
      throw diskFault(error);
    }
  };
  const settle = (id: string): Promise<void> => remove(markOf(id));
  const removeKept: FileStore["remove"] = async (id) => {
    await remove(pathOf(id));
    await remove(markOf(id));
  };
  const discard: FileStore["discard"] = ({ path }) => remove(path);
  return {
    receive,
    keep,
    write: async (id, content) => {
      const received = await receive(Readable.from([content]), { maxBytes: content.length });
      try {
        await keep(received, id);
      } finally {
        await discard(received);
      }
    },
    settle,
    remove: removeKept,
    discard,
    open: (id) => openFile(pathOf(id)),
    pathOf,
    sweep: async ({ olderThan, findKnown }) => {
      const { marked, stray } = await findLeftovers(incoming, olderThan);
      const known = marked.length === 0 ? new Set<string>() : await findKnown(marked);
      for (const path of stray) await remove(path);
      for (const id of marked) await (known.has(id) ? settle(id) : removeKept(id));
      return stray.length + marked.filter((id) => !known.has(id)).length;
    },
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw new AppError("invalid_config", `The folder ${path} cannot be made.`, { cause });
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
        throw new AppError("payload_too_large", `The file is larger than ${maxBytes} bytes.`);
      }
      hash.update(chunk);
      await handle.appendFile(chunk);
    }
    return { path, size, sha256: hash.digest("hex"), head: Buffer.concat(head) };
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<OpenFile> {
  try {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    return { size, content: handle.createReadStream() };
  } catch (cause) {
    throw new AppError("internal", "A stored file cannot be read.", { cause });
  }
}

async function findLeftovers(
  incoming: string,
  olderThan: Date,
): Promise<{ readonly marked: string[]; readonly stray: string[] }> {
  const marked: string[] = [];
  const stray: string[] = [];
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtimeMs >= olderThan.getTime()) continue;
    if (name.endsWith(MARK)) marked.push(name.slice(0, -MARK.length));
    else stray.push(path);
  }
  return { marked, stray };
}

function remove(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Of a file its content, of a folder the names in it. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function diskFault(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  const detail = "There is no room for the file. Try again later.";
  return new AppError("unavailable", detail, { retryable: true, cause: error });
}
