import type { IncomingMessage, ServerResponse } from "node:http";

import { sizeText } from "../../byte-size.ts";
import { AppError } from "../../errors.ts";
import { FairSlots, refusedAs } from "../../fair-slots.ts";
import { declaredLength, drain, findEncoding } from "./body-stream.ts";
import { FormParser, type FormOptions, type SentForm } from "./form-parser.ts";

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
