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
  keep(received: ReceivedFile, id: string): Promise<void>;
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
