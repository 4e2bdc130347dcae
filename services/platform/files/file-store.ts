import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { z } from "zod";
import { AppError, errorCodeOf } from "../errors.ts";
import {
  createTemporaryUploads,
  diskFault,
  FILE_MODE,
  makeFolder,
  MARK,
  type ReceivedFile,
  type TemporaryUploads,
} from "./temporary-upload.ts";

const FOLDER_MODE = 0o700;

/**
 * Where the folder backend stores the file of an id. The end of a version 7 UUID is random, so folders
 * fill evenly.
 */
export function pathOf(folder: string, id: string): string {
  return join(folder, id.slice(-2), id);
}

/**
 * Files in a folder; temporary uploads are on the same file system, so that a received file is moved, not
 * copied.
 * @throws `invalid_config` if the folder cannot be created
 */
function createFolderBackend(folder: string, incomingFolder: string): StorageBackend {
  makeFolder(folder);
  const markOf = (id: string): string => join(incomingFolder, id + MARK);
  return {
    put: async (file, id) => {
      const path = pathOf(folder, id);
      try {
        await writeFile(markOf(id), "", { mode: FILE_MODE });
        await sync(file.path);
        const made = await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
        if (made !== undefined) await sync(folder);
        await rename(file.path, path);
        await sync(dirname(path));
      } catch (error) {
        throw diskFault(error);
      }
    },
    remove: async (id) => {
      await rm(pathOf(folder, id), { force: true });
      await rm(markOf(id), { force: true });
    },
    open: (id) => openFile(pathOf(folder, id)),
    borrow: (id) =>
      Promise.resolve({ path: pathOf(folder, id), giveBack: () => Promise.resolve() }),
    marks: () => findMarks(incomingFolder),
    unmark: (id) => rm(markOf(id), { force: true }),
  };
}

async function openFile(path: string): Promise<OpenFile> {
  try {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    return { size, content: handle.createReadStream() };
  } catch (cause) {
    throw unreadable(cause, errorCodeOf(cause) === "ENOENT");
  }
}

async function* findMarks(folder: string): AsyncGenerator<Mark[]> {
  const marks: Mark[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(MARK)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null) marks.push({ id: name.slice(0, -MARK.length), madeAt: found.mtime });
  }
  yield marks;
}

/** Flushes a file's content, or a folder's entries, to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const INCOMING = "incoming";

interface SweepOptions {
  /** Younger files without a row may still be in use. */
  readonly olderThan: Date;
  /** Returns those of the ids that have a row. */
  readonly findKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Stores files under ids, each durable before the row that names it is committed: `receive`, `keep`, then
 * the row. A stored file is marked until a `sweep` has seen its row, since only the database knows what
 * was committed; one that never gets a row is removed.
 */
export interface FileStore extends Pick<TemporaryUploads, "receive" | "discard"> {
  /** Stores a received file durably under its id. @throws `unavailable` if that is not possible now */
  store(received: ReceivedFile, id: string): Promise<void>;
  /** Receives and stores content that is already in memory. */
  write(id: string, content: Buffer): Promise<void>;
  /** Stores the content of a file under another id. @throws `not_found` if there is no such file */
  copy(id: string, to: string): Promise<void>;
  /** Removes a stored file whose row was refused; in doubt, leave it to the sweep. */
  remove(id: string): Promise<void>;
  /** @throws `not_found` if there is no such file */
  open(id: string): Promise<OpenFile>;
  /** Provides a stored file under a path that is valid until `work` ends. */
  lend<T>(id: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes files left behind by killed processes; returns how many. */
  sweep(options: SweepOptions): Promise<number>;
}

/** @throws `invalid_config` if the folder cannot be created */
export function createFileStore(
  folder: string,
  openBackend: (incomingFolder: string) => StorageBackend = (uploads) =>
    createFolderBackend(folder, uploads),
): FileStore {
  const incoming = join(folder, INCOMING);
  const uploads = createTemporaryUploads(incoming);
  const backend = openBackend(incoming);
  const keep = async (source: Readable, id: string, maxBytes: number): Promise<void> => {
    const received = await uploads.receive(source, { maxBytes });
    try {
      await backend.put(received, id);
    } finally {
      await uploads.discard(received);
    }
  };
  return {
    receive: uploads.receive,
    discard: uploads.discard,
    store: (received, id) => backend.put(received, id),
    write: (id, content) => keep(Readable.from([content]), id, content.length),
    copy: async (id, to) => {
      const { content, size } = await backend.open(id);
      await keep(content, to, size);
    },
    remove: (id) => backend.remove(id),
    open: (id) => backend.open(id),
    lend: async (id, work) => {
      const borrowed = await backend.borrow(id);
      try {
        return await work(borrowed.path);
      } finally {
        await borrowed.giveBack();
      }
    },
    sweep: async (options) => {
      let removed = await uploads.sweep(options.olderThan);
      for await (const marks of backend.marks()) {
        const known = marks.length === 0 ? new Set() : await options.findKnown(idsOf(marks));
        const lost = marks.filter(({ id, madeAt }) => !known.has(id) && madeAt < options.olderThan);
        for (const { id } of marks) if (known.has(id)) await backend.unmark(id);
        for (const { id } of lost) await backend.remove(id);
        removed += lost.length;
      }
      return removed;
    },
  };
}

function idsOf(marks: readonly { readonly id: string }[]): string[] {
  return marks.map(({ id }) => id);
}

export interface OpenFile {
  readonly size: number;
  readonly content: Readable;
}

/** A file that can be read under its path until it is given back. */
interface BorrowedFile {
  readonly path: string;
  giveBack(): Promise<void>;
}

/** Marks a stored file whose row has not been seen yet. */
export interface Mark {
  readonly id: string;
  readonly madeAt: Date;
}

/** Stores files under their ids: a local folder, or a bucket that several machines share. */
export interface StorageBackend {
  /** Durable on return, and marked before it is stored. @throws `unavailable` if it cannot be stored now */
  put(file: ReceivedFile, id: string): Promise<void>;
  /** Removes the file and its mark; does nothing if they do not exist. */
  remove(id: string): Promise<void>;
  /** @throws `not_found` if it is gone, `internal` if it cannot be read */
  open(id: string): Promise<OpenFile>;
  /** @throws `internal` if it cannot be read */
  borrow(id: string): Promise<BorrowedFile>;
  /** In pages. */
  marks(): AsyncIterable<readonly Mark[]>;
  unmark(id: string): Promise<void>;
}

/** What the caller hears of a stored file that cannot be read: one that is gone stays gone, whoever asks again. */
export function unreadable(cause: unknown, isGone: boolean): AppError {
  return isGone
    ? new AppError("not_found", "The file of this document is no longer stored.", { cause })
    : new AppError("internal", "A stored file cannot be read.", { cause });
}

/** The settings of a service that reads or writes files. */
export const fileStoreShape = {
  DOCUMENTS_DIR: z.string().min(1).default(".data/documents"),
  /** An S3 bucket for documents; the folder then only holds temporary uploads. */
  DOCUMENTS_BUCKET: z.string().min(3).max(63).optional(),
  DOCUMENTS_BUCKET_REGION: z.string().min(1).default("us-east-1"),
  /** The URL of an S3-compatible store other than Amazon's. */
  DOCUMENTS_BUCKET_ENDPOINT: z.url().optional(),
  /** Without it, credentials come from the AWS SDK's default sources, such as the machine's role. */
  DOCUMENTS_BUCKET_KEY_ID: z.string().optional(),
  DOCUMENTS_BUCKET_SECRET_KEY: z.string().optional(),
};

type FileStoreConfig = z.output<z.ZodObject<typeof fileStoreShape>>;

/** @throws `invalid_config` if the folder cannot be created */
export async function openFileStore(config: FileStoreConfig): Promise<FileStore> {
  const { DOCUMENTS_DIR: folder, DOCUMENTS_BUCKET: name } = config;
  if (name === undefined) return createFileStore(folder);
  const bucket = {
    name,
    region: config.DOCUMENTS_BUCKET_REGION,
    endpoint: config.DOCUMENTS_BUCKET_ENDPOINT,
    keyId: config.DOCUMENTS_BUCKET_KEY_ID,
    secretKey: config.DOCUMENTS_BUCKET_SECRET_KEY,
  };
  // The AWS client is loaded only if a bucket is configured.
  const { createBucketBackend } = await import("./bucket-storage.ts");
  return createFileStore(folder, (uploads) => createBucketBackend(bucket, uploads));
}
