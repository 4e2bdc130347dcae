import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { sizeText } from "../../characters.ts";
import { AppError, type Fault } from "../../errors.ts";
import { FairSlots, refusedAs } from "../../fair-slots.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { ReceivedFile } from "../../files/temporary-upload.ts";
import { declaredLength, drain, findEncoding } from "./read-sent.ts";
import { toPointer } from "./find-faults.ts";

/** Allowance for the rest of a form besides its file: boundaries, headers, texts. */
const OVERHEAD_BYTES = 128 * 1024;
const NO_FORM: SentForm = { values: {}, file: null, faults: [] };

/**
 * Who sends many forms at once has one chunk parsed, hashed and written at a time. Nothing is held while a client sends, so
 * that slow uploads keep nobody waiting.
 */
const turns = new FairSlots({
  ...{ total: Infinity, perOwner: 1 },
  ...{ maxWaiting: Infinity, maxWaitMs: 10_000 },
});
const tooManyForms = refusedAs("Too many uploads at once. Try again in 1 s.");

interface FormLimits extends Omit<FormOptions, "boundary"> {
  /** On whose behalf the form is sent. */
  readonly owner: string;
}

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i;
const BOUNDARY_TEXT = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/**
 * Reads the body as multipart/form-data; an empty one is a form without fields. The caller must discard
 * its file.
 * @throws `unsupported_media_type`, `payload_too_large`, `invalid_header`, `malformed_json`, in this order
 */
export async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  { owner, ...limits }: FormLimits,
): Promise<SentForm> {
  const length = declaredLength(request);
  if (length === 0) return NO_FORM;
  const refusal = findRefusal(request, limits);
  if (refusal !== null && length !== null) {
    drain(request);
    throw refusal;
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  if (refusal !== null) return refuseUnlessEmpty(request, chunks, refusal);
  const parser = new FormParser({ ...limits, boundary: boundaryOf(request) ?? "" });
  try {
    let total = 0;
    for await (const chunk of whole(chunks)) {
      total += chunk.length;
      if (total > mostBytes(limits)) throw tooLarge(limits);
      await turns.run(owner, () => parser.write(chunk)).catch(tooManyForms);
    }
    return await parser.end();
  } catch (error) {
    await parser.abandon(error);
    drain(request);
    throw error;
  }
}

type FileLimit = Pick<FormOptions, "maxFileBytes">;

function mostBytes({ maxFileBytes }: FileLimit): number {
  return maxFileBytes + OVERHEAD_BYTES;
}

function findRefusal(request: IncomingMessage, limit: FileLimit): AppError | null {
  const encoded = findEncoding(request);
  if (encoded !== null) return encoded;
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "multipart/form-data") {
    return new AppError("unsupported_media_type", "Send the body as multipart/form-data.");
  }
  if ((declaredLength(request) ?? 0) > mostBytes(limit)) return tooLarge(limit);
  if (boundaryOf(request) !== null) return null;
  const detail = "It has no valid boundary.";
  return new AppError("invalid_header", "The form's parts cannot be separated.", {
    faults: [{ header: "Content-Type", code: "invalid_boundary", detail }],
  });
}

function boundaryOf(request: IncomingMessage): string | null {
  const [, quoted, plain] = BOUNDARY.exec(request.headers["content-type"] ?? "") ?? [];
  const boundary = quoted ?? plain ?? "";
  return BOUNDARY_TEXT.test(boundary) ? boundary : null;
}

/** A chunked body of another type may turn out to be empty. */
async function refuseUnlessEmpty(
  request: IncomingMessage,
  chunks: AsyncIterable<Buffer>,
  refusal: AppError,
): Promise<SentForm> {
  for await (const chunk of whole(chunks)) {
    if (chunk.length === 0) continue;
    drain(request);
    throw refusal;
  }
  return NO_FORM;
}

/** The body's chunks; a connection that closes first means that the body ended early. */
async function* whole(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* chunks;
  } catch (cause) {
    throw new AppError("malformed_json", "The body ended early.", { cause });
  }
}

function tooLarge({ maxFileBytes }: FileLimit): AppError {
  return new AppError("payload_too_large", `The body is larger than ${sizeText(maxFileBytes)}.`);
}

/** The only field that holds a file; a part's kind follows from its name, not from its own headers. */
const FILE_FIELD = "file";

const TEXT_BYTES = 4_096;
const LIMITS = {
  parts: 20,
  fields: 16,
  files: 1,
  fieldSize: TEXT_BYTES,
  headerPairs: 16,
  headerSize: 8_192,
};
const TOO_MANY_PARTS = `The form has more than ${LIMITS.fields} fields or ${LIMITS.parts} parts.`;
const MAX_NAME_LENGTH = 64;
/**
 * Busboy hangs if a part that it skips is larger than a stream's buffer and ends in the chunk that filled
 * it. So chunks are smaller than the buffer, and skipped data is released between them.
 */
const PIECE_BYTES = 64 * 1_024;
const BUFFER_BYTES = 4 * PIECE_BYTES;
/** A name in a charset of the sender's choice may contain lone surrogates, which a JSON pointer cannot. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A form as sent. */
export interface SentForm {
  /** Texts by name, and the file. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
  /** Faults that no schema can find: fields that are repeated or too long. */
  readonly faults: readonly Fault[];
}

interface FormOptions {
  readonly boundary: string;
  readonly maxFileBytes: number;
  readonly files: Pick<FileStore, "receive" | "discard">;
}

/** A field as busboy reports it: contrary to the library's types, a part may lack a name. */
type ReportedField = readonly [
  name: string | undefined,
  text: string,
  isNameCut: boolean,
  isCut: boolean,
];

/** Parses a multipart body chunk by chunk; its file is streamed to disk. */
class FormParser {
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
    const tooMany = new AppError("payload_too_large", TOO_MANY_PARTS);
    this.#sink.on("fieldsLimit", () => this.#fail(tooMany));
    this.#sink.on("partsLimit", () => this.#fail(tooMany));
    this.#sink.on("error", (cause) => {
      const detail = "The form is malformed or ended early.";
      this.#fail(new AppError("malformed_json", detail, { cause }));
    });
  }

  /**
   * Resolves when more can be written. @throws the fault that invalidates the form, as soon as it is
   * known
   */
  async write(chunk: Buffer): Promise<void> {
    await this.#unlessFailed(async (signal) => {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        if (!this.#sink.write(piece)) await once(this.#sink, "drain", { signal });
        await setImmediate();
      }
    });
  }

  /** Ends the body; returns the form. */
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

  /** Abandons the body and removes its file. */
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
    if (isCut) this.#fault(name, "too_long", `It must have at most ${TEXT_BYTES} bytes.`);
    this.#texts.set(name, text);
  }

  #takeFile(stream: BusboyFileStream): void {
    // The store handles errors; one raised after it stopped listening must not end the process.
    stream.on("error", () => undefined);
    this.#stream = stream;
    const { files, maxFileBytes } = this.#options;
    this.#file = files.receive(stream, { maxBytes: maxFileBytes });
    this.#file.catch((error: unknown) => this.#fail(error));
  }

  #fault(name: string, code: string, detail: string): void {
    this.#faults.push({ pointer: toPointer([name]), code, detail });
  }

  /** Only the first reason is kept. */
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
