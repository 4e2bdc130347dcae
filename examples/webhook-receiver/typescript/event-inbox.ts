import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Longer than automatic retries last; a republish or a recovery may arrive later still. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Stores each event as a file in a folder, so that duplicates are recognized, even after a restart. In
 * your own service, use a table with the event id as primary key, written in the transaction of the
 * processing.
 */
export class EventInbox {
  readonly #events: string;
  readonly #done: string;

  constructor(folder: string) {
    this.#events = join(folder, "events");
    this.#done = join(folder, "done");
  }

  /**
   * Creates the folders and deletes old processed events; returns the ids of unprocessed ones, the oldest
   * first.
   */
  async open(): Promise<string[]> {
    await mkdir(this.#events, { recursive: true });
    await mkdir(this.#done, { recursive: true });
    const done = new Set(await readdir(this.#done));
    const names = (await readdir(this.#events)).sort();
    const waiting: string[] = [];
    for (const name of names) {
      if (name.endsWith(".part")) await unlink(join(this.#events, name));
      else if (!done.has(name)) waiting.push(name);
      else await this.#forgetWhenOld(name);
    }
    return waiting;
  }

  /** True if the event is new; it is then safely on disk. False if it was received before. */
  async keep(id: string, body: Buffer): Promise<boolean> {
    const part = join(this.#events, `${randomUUID()}.part`);
    const file = await open(part, "wx");
    try {
      await file.writeFile(body);
      await file.sync();
    } finally {
      await file.close();
    }
    const isNew = await linkOnce(part, join(this.#events, id));
    await unlink(part);
    await syncFolder(this.#events);
    return isNew;
  }

  read(id: string): Promise<Buffer> {
    return readFile(join(this.#events, id));
  }

  /** Marks the event as processed. */
  async finish(id: string): Promise<void> {
    await writeFile(join(this.#done, id), "");
  }

  async #forgetWhenOld(name: string): Promise<void> {
    const { mtimeMs } = await stat(join(this.#done, name));
    if (Date.now() - mtimeMs < KEPT_MS) return;
    await unlink(join(this.#events, name));
    await unlink(join(this.#done, name));
  }
}

/** Unlike a rename, a link never replaces a file: of two simultaneous duplicates, only one is new. */
async function linkOnce(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
