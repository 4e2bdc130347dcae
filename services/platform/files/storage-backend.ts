import type { Readable } from "node:stream";
import type { ReceivedFile } from "./temporary-upload.ts";

export interface OpenFile {
  readonly size: number;
  readonly content: Readable;
}

/** A file that can be read by its path until it is given back. */
export interface BorrowedFile {
  readonly path: string;
  giveBack(): Promise<void>;
}

/** Of a kept file whose row has not been seen. */
export interface Mark {
  readonly id: string;
  readonly madeAt: Date;
}

/** Where kept files lie under their ids: a local folder, or a bucket that several machines share. */
export interface StorageBackend {
  /** Durable when it returns, and marked before it is there. @throws `unavailable` where it cannot be stored now */
  put(file: ReceivedFile, id: string): Promise<void>;
  /** The file and its mark; nothing happens where they are gone. */
  remove(id: string): Promise<void>;
  /** @throws `internal` where it cannot be read */
  open(id: string): Promise<OpenFile>;
  /** @throws `internal` where it cannot be read */
  borrow(id: string): Promise<BorrowedFile>;
  /** By pages. */
  marks(): AsyncIterable<readonly Mark[]>;
  unmark(id: string): Promise<void>;
}
