import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { errorCodeOf } from "../error-code.ts";
import { unreadable, type Mark, type OpenFile, type StorageBackend } from "./storage-backend.ts";
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

export interface SweepOptions {
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
  return {
    receive: uploads.receive,
    discard: uploads.discard,
    store: (received, id) => backend.put(received, id),
    write: async (id, content) => {
      const source = Readable.from([content]);
      const received = await uploads.receive(source, { maxBytes: content.length });
      try {
        await backend.put(received, id);
      } finally {
        await uploads.discard(received);
      }
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
