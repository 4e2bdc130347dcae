import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCodeOf } from "../error-code.ts";
import { unreadable, type Mark, type OpenFile, type StorageBackend } from "./storage-backend.ts";
import { diskFault, FILE_MODE, makeFolder, MARK } from "./temporary-upload.ts";

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
export function createFolderBackend(folder: string, incomingFolder: string): StorageBackend {
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
