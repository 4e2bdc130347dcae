import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";

import { AppError, type Fault } from "../../errors.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { ReceivedFile } from "../../files/temporary-upload.ts";
import { toPointer } from "./find-faults.ts";

/** The one field that holds a file; what kind a part is follows from its name, not from what it says of itself. */
export const FILE_FIELD = "file";

const TEXT_BYTES = 4_096;
const LIMITS = {
  parts: 20,
  fields: 16,
  files: 1,
  fieldSize: TEXT_BYTES,
  headerPairs: 16,
  headerSize: 8_192,
};
const MAX_NAME_LENGTH = 64;
/**
 * Busboy never goes on where a part that it skips is larger than a stream's buffer and ends in the piece that filled it.
 * Pieces are smaller than the buffer, and what is skipped is let go between them.
 */
const PIECE_BYTES = 64 * 1_024;
const BUFFER_BYTES = 4 * PIECE_BYTES;
/** A name in a charset of the sender's choice may hold halves of a pair, which no pointer can. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A form as it was sent. */
export interface SentForm {
  /** Texts by name, and the file. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
  /** What no schema can find: fields that are repeated or too long. */
  readonly faults: readonly Fault[];
}

export interface FormOptions {
  readonly boundary: string;
  readonly maxFileBytes: number;
  readonly files: Pick<FileStore, "receive" | "discard">;
}

/** A field as busboy reports it: a part may lack its name, whatever the library's types say. */
type ReportedField = readonly [
  name: string | undefined,
  text: string,
  isNameCut: boolean,
  isCut: boolean,
];

/** Takes a multipart body piece by piece; its file goes to the disk as it comes. */
export class FormParser {
  readonly #options: FormOptions;
  readonly #sink: BusboyInstance;
  readonly #texts = new Map<string, string>();
  readonly #faults: Fault[] = [];
  readonly #failure = new AbortController();
  #stream: BusboyFileStream | null = null;
  #file: Promise<ReceivedFile> | null = null;

  constructor(options: FormOptions) {
    this.#options = options;
    this.#sink = new Busboy({
      headers: { "content-type": `multipart/form-data; boundary="${options.boundary}"` },
      isPartAFile: (name) => name === FILE_FIELD,
      limits: LIMITS,
      fileHwm: BUFFER_BYTES,
    });
    this.#sink.on("field", (...[name, text, , isCut]: ReportedField) => {
      this.#takeText((name ?? "").slice(0, MAX_NAME_LENGTH), text, isCut);
    });
    this.#sink.on("file", (_, stream) => this.#takeFile(stream));
    this.#sink.on("filesLimit", () => this.#fault(FILE_FIELD, "repeated", "Send one file."));
    const tooMany = new AppError("payload_too_large", "The form has too many parts.");
    this.#sink.on("fieldsLimit", () => this.#fail(tooMany));
    this.#sink.on("partsLimit", () => this.#fail(tooMany));
    this.#sink.on("error", (cause) => {
      const detail = "The form is malformed or ended early.";
      this.#fail(new AppError("malformed_json", detail, { cause }));
    });
  }

  /** Resolves when there is room for more. @throws what makes the form useless, as soon as it is known */
  async write(chunk: Buffer): Promise<void> {
    await this.#unlessFailed(async (signal) => {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        if (!this.#sink.write(piece)) await once(this.#sink, "drain", { signal });
        await setImmediate();
      }
    });
  }

  /** The body has ended. */
  async end(): Promise<SentForm> {
    return this.#unlessFailed(async (signal) => {
      const finished = once(this.#sink, "finish", { signal });
      this.#sink.end();
      await finished;
      const file = await this.#file;
      const texts = Object.fromEntries(this.#texts);
      const values = file === null ? texts : { ...texts, [FILE_FIELD]: file };
      return { values, file, faults: this.#faults };
    });
  }

  /** The body comes to nothing: nothing is left of its file. */
  async abandon(reason: unknown): Promise<void> {
    this.#fail(reason);
    this.#stream?.destroy(new Error("the form was abandoned"));
    const [received] = await Promise.allSettled([this.#file]);
    if (received.status === "fulfilled" && received.value !== null) {
      await this.#options.files.discard(received.value);
    }
  }

  #takeText(sent: string, text: string, isCut: boolean): void {
    const name = sent.replaceAll(LONE_SURROGATE, "\ufffd");
    if (this.#texts.has(name)) this.#fault(name, "repeated", "It may be given only once.");
    if (isCut) this.#fault(name, "too_long", `It may have ${TEXT_BYTES} bytes at most.`);
    this.#texts.set(name, text);
  }

  #takeFile(stream: BusboyFileStream): void {
    // The store reports errors; one that comes when it has stopped listening must not end the process.
    stream.on("error", () => undefined);
    this.#stream = stream;
    const { files, maxFileBytes } = this.#options;
    this.#file = files.receive(stream, { maxBytes: maxFileBytes });
    this.#file.catch((error: unknown) => this.#fail(error));
  }

  #fault(name: string, code: string, detail: string): void {
    this.#faults.push({ pointer: toPointer([name]), code, detail });
  }

  /** The first reason counts. */
  #fail(reason: unknown): void {
    this.#failure.abort(reason);
  }

  async #unlessFailed<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#failure;
    signal.throwIfAborted();
    try {
      return await work(signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}
