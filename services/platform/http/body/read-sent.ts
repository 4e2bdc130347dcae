import type { Context } from "koa";
import type { z } from "zod";
import getRawBody from "raw-body";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sizeText } from "../../characters.ts";
import type { Database } from "../../db/transaction.ts";
import { AppError, type Fault } from "../../errors.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { Preparing } from "../routing/preparing.ts";
import type { TableRow } from "../routing/route-table.ts";
import type { Route } from "../routing/route.ts";
import { checkForm, invalid } from "./check-request.ts";
import { faultText, findBodyFaults } from "./find-faults.ts";
import { parseJson } from "./parse-json.ts";
import { readForm } from "./read-form.ts";

/** The part of a file store that receives files. */
export type Uploads = Pick<FileStore, "receive" | "discard">;

interface Sender<P> {
  readonly db: Database;
  readonly principal: P | null;
}

/** A body that has been read completely but not checked yet; `P` is the sender. */
interface SentBody<P> {
  /** Parses it with the route's schema. @throws `validation_failed` with every fault */
  check(sender: Sender<P>, preparing: Preparing): unknown;
  /** Removes its file, if that was not stored; null where it has none. */
  readonly discard: (() => Promise<void>) | null;
}

/** Of a request whose route takes no body. */
const NOTHING: SentBody<unknown> = { check: () => ({}), discard: null };

interface FormReceiver {
  readonly uploads: Uploads | undefined;
  /** On whose behalf: the forms of one owner take turns. */
  readonly owner: string;
}

/** Reads a form; its file becomes a temporary upload. */
export async function readSentForm<P>(
  { req, res }: Context,
  { form, path }: Route<P>,
  { uploads, owner }: FormReceiver,
): Promise<SentBody<P>> {
  if (form === undefined || uploads === undefined) {
    throw new AppError("internal", `${path} takes no form`);
  }
  const { maxFileBytes } = form;
  const sent = await readForm(req, res, { maxFileBytes, files: uploads, owner });
  const { file } = sent;
  return {
    check: () => checkForm(form.fields, sent),
    discard: file === null ? null : () => uploads.discard(file),
  };
}

/** Reads a JSON body, if the route takes one; else there is nothing to wait for. */
export function readSentJson<P>(
  ctx: Context,
  { route, body }: TableRow<P>,
): Promise<SentBody<P>> | SentBody<P> {
  return body === null ? NOTHING : readJson(ctx, route, body);
}

async function readJson<P>(
  { req, res }: Context,
  route: Route<P>,
  body: z.ZodType,
): Promise<SentBody<P>> {
  const json = await readJsonBody(req, res, route.maxBodyBytes);
  return {
    check: (sender, preparing) => {
      const checked = body.safeParse(json, { error: faultText });
      if (checked.success) return checked.data;
      const sent = { ...sender, body: json, preparing };
      return refuseBody(findBodyFaults(checked.error, json), route, sent);
    },
    discard: null,
  };
}

async function refuseBody<P>(
  faults: readonly Fault[],
  route: Route<P>,
  { preparing, ...sent }: Sender<P> & { body: unknown; preparing: Preparing },
): Promise<never> {
  const more = (await route.findMoreFaults?.(sent, preparing)) ?? [];
  throw invalid("body", [...faults, ...more]);
}

/**
 * Reads and parses the JSON body; an empty one is `{}`.
 * @throws `unsupported_media_type`, `payload_too_large`, `malformed_json`, in this order
 */
async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<unknown> {
  const length = declaredLength(request);
  if (length === 0) return {};
  const unsupported = findUnsupported(request);
  // A chunked body of another type may turn out to be empty.
  if (unsupported !== null && length !== null) throw unsupported;
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await readBytes(request, length, maxBytes).catch((error: unknown) => {
    throw unsupported ?? error;
  });
  if (bytes.length === 0) return {};
  if (unsupported !== null) throw unsupported;
  return parseJson(bytes);
}

function findUnsupported(request: IncomingMessage): AppError | null {
  const encoded = findEncoding(request);
  if (encoded !== null) return encoded;
  if (isJson(request.headers["content-type"])) return null;
  return new AppError("unsupported_media_type", "Send the body as application/json in UTF-8.");
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  if (type.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^\s*("?)utf-?8\1\s*$/.test(value);
  });
}

async function readBytes(
  request: IncomingMessage,
  length: number | null,
  maxBytes: number,
): Promise<Buffer> {
  try {
    return await getRawBody(request, { length, limit: maxBytes });
  } catch (cause) {
    if (cause instanceof Error && "type" in cause && cause.type === "entity.too.large") {
      drain(request);
      throw new AppError("payload_too_large", `The body is larger than ${sizeText(maxBytes)}.`);
    }
    throw new AppError("malformed_json", "The body ended early.", { cause });
  }
}

/** How much of a refused body is still read, so that a client that writes first gets its response. */
const DRAIN_BYTES = 32 * 1024 * 1024;

/** The declared length of the body; null if it is chunked. */
export function declaredLength(request: IncomingMessage): number | null {
  if (request.headers["transfer-encoding"] !== undefined) return null;
  const length = request.headers["content-length"];
  return length === undefined ? 0 : Number(length);
}

/** The refusal of a compressed body; null if it is not compressed. */
export function findEncoding(request: IncomingMessage): AppError | null {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return null;
  return new AppError("unsupported_media_type", "Send the body without a content encoding.");
}

/** Discards the rest of a refused body, up to a limit. */
export function drain(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
