import { join } from "node:path";
import { Readable } from "node:stream";
import { createFolderBackend } from "./folder-storage.ts";
import type { OpenFile, StorageBackend } from "./storage-backend.ts";
import {
  createTemporaryUploads,
  type ReceivedFile,
  type TemporaryUploads,
} from "./temporary-upload.ts";

const INCOMING = "incoming";

export interface SweepOptions {
  /** What is younger and has no row may still be under way. */
  readonly olderThan: Date;
  /** Which of the ids have their row. */
  readonly findKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Files under ids, each durable before the row that names it is committed: `receive`, `keep`, then the row. A kept file
 * is marked until a `sweep` has seen its row, for only the database knows what was committed; one that never has a row
 * is removed.
 */
export interface FileStore extends Pick<TemporaryUploads, "receive" | "discard"> {
  /** Puts a received file under its id, durably. @throws `unavailable` where that is not possible now */
  keep(received: ReceivedFile, id: string): Promise<void>;
  /** Receives and keeps what is in memory already. */
  write(id: string, content: Buffer): Promise<void>;
  /** Removes a kept file whose row was refused; where that is in doubt, it is left to the sweep. */
  remove(id: string): Promise<void>;
  /** @throws `internal` where there is no such file */
  open(id: string): Promise<OpenFile>;
  /** Lends a kept file by a path that is good until `work` ends. */
  lend<T>(id: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes what processes that were killed have left; the number of files removed. */
  sweep(options: SweepOptions): Promise<number>;
}

/** @throws `invalid_config` where the folder cannot be made */
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
    keep: (received, id) => backend.put(received, id),
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
