import type { Readable } from "node:stream";
import { AppError } from "../errors.ts";
import type { ReceivedFile } from "./temporary-upload.ts";

export interface OpenFile {
  readonly size: number;
  readonly content: Readable;
}

/** A file that can be read under its path until it is given back. */
export interface BorrowedFile {
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
