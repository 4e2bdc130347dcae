import { createHash } from "node:crypto";
import { pipeline, Readable, type Transform } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from "node:zlib";
import type { Context } from "koa";
import type { ProblemAnswer } from "../problem.ts";
import { isEventStream, type RawContent, type Reply } from "./reply.ts";

/** Writes a reply; prefixes its `Location`, a path, with the configured public URL. */
export async function writeReply(ctx: Context, reply: Reply, publicUrl: string): Promise<void> {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    ctx.res.setHeader(name, name === "Location" ? `${publicUrl}${value}` : value);
  }
  if (reply.raw !== undefined) {
    await writeContent(ctx, reply.raw);
  } else if (reply.body !== undefined) {
    await writeJson(ctx, "application/json", reply.body);
  } else {
    ctx.body = null;
    ctx.status = reply.status;
  }
}

export async function writeProblem(ctx: Context, problem: ProblemAnswer): Promise<void> {
  ctx.status = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) ctx.res.setHeader(name, value);
  await writeJson(ctx, "application/problem+json", problem.body);
}

/** What is longer is written in slices, so that it is seen how fast the client reads. */
const SLICE_BYTES = 65_536;

/** Writes a JSON body; a long list is made while it is written, and has no Content-Length. */
async function writeJson(ctx: Context, type: string, body: unknown): Promise<void> {
  const pieces = jsonPieces(body);
  const first = pieces.next().value ?? "";
  const second = pieces.next();
  if (second.done === true) {
    await writeContent(ctx, { type, content: first });
    return;
  }
  const all = function* () {
    yield first;
    yield second.value;
    yield* pieces;
  };
  await writeContent(ctx, { type, content: Readable.from(all(), { objectMode: false }) });
}

const JSON_TYPE = "application/json";

/**
 * A JSON reply in its bytes, compressed where the client asks for it: a large one in the turn of its request, so that an
 * account has one of its answers written as JSON and compressed at a time. Others have their turn between the pieces.
 */
export async function packed(ctx: Context, reply: Reply): Promise<Reply> {
  const { body, headers } = reply;
  // A header of the reply's own may forbid compression, and is not set before it is written.
  if (body === undefined || headers?.["Cache-Control"] !== undefined) return reply;
  const pieces: string[] = [];
  for (const piece of jsonPieces(body)) {
    if (pieces.length > 0) await setImmediate();
    pieces.push(piece);
  }
  const json = Buffer.from(pieces.join(""));
  const encoding = chooseEncoding(ctx, json.length);
  const content = encoding === null ? json : await compress(json, encoding);
  const raw = { type: JSON_TYPE, content, ...(encoding === null ? {} : { encoding }) };
  return { status: reply.status, ...(headers === undefined ? {} : { headers }), raw };
}

/** Writes a body, compressed where the client asks for it. */
async function writeContent(ctx: Context, raw: RawContent): Promise<void> {
  const { type, content, isConstant = false } = raw;
  ctx.res.setHeader("Content-Type", type);
  if (raw.encoding !== undefined && !(content instanceof Readable)) {
    ctx.res.setHeader("Content-Encoding", raw.encoding);
    writeWhole(ctx, content);
    return;
  }
  if (content instanceof Readable) {
    const encoding = isEventStream(type) ? null : chooseEncoding(ctx, Infinity);
    ctx.body = encoding === null ? content : compressed(ctx, content, encoding);
    return;
  }
  const encoding = chooseEncoding(ctx, Buffer.byteLength(content));
  if (isConstant && Buffer.isBuffer(content) && isKnown(ctx, content)) {
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  if (encoding !== null) ctx.res.setHeader("Content-Encoding", encoding);
  writeWhole(
    ctx,
    encoding === null ? content : await compressWhole({ content, isConstant }, encoding),
  );
}

const etags = new WeakMap<Buffer, string>();

/** Whether the client has this constant content already. Its ETag is weak, because the response may be compressed. */
function isKnown(ctx: Context, content: Buffer): boolean {
  let etag = etags.get(content);
  if (etag === undefined) {
    etag = `W/"${createHash("sha256").update(content).digest("base64url")}"`;
    etags.set(content, etag);
  }
  ctx.res.setHeader("ETag", etag);
  return ctx.fresh;
}

function compressed(ctx: Context, content: Readable, encoding: Encoding): Readable {
  ctx.res.setHeader("Content-Encoding", encoding);
  ctx.res.removeHeader("Content-Length");
  // Either end destroys the other; the response reports what went wrong.
  return pipeline(content, createCompressor(encoding), () => undefined);
}

function compressWhole(
  { content, isConstant }: { readonly content: string | Buffer; readonly isConstant: boolean },
  encoding: Encoding,
): Promise<Buffer> {
  const isCached = isConstant && Buffer.isBuffer(content);
  return isCached ? compressConstant(content, encoding) : compress(content, encoding);
}

function writeWhole(ctx: Context, content: string | Buffer): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= SLICE_BYTES) {
    ctx.body = content;
    return;
  }
  ctx.res.setHeader("Content-Length", bytes);
  const whole = typeof content === "string" ? Buffer.from(content) : content;
  ctx.body = Readable.from(slicesOf(whole), { objectMode: false });
}

function* slicesOf(content: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    yield content.subarray(at, at + SLICE_BYTES);
  }
}

/** Pieces have at least as many characters, except for the last. */
const PIECE_LENGTH = 65_536;

/**
 * A body as JSON, in pieces that are made when they are asked for. Only lists (`{data: […], …}`) have several: each entry
 * becomes text when the reader has taken those before it.
 */
export function* jsonPieces(body: unknown): Generator<string, void> {
  if (!isList(body)) {
    yield JSON.stringify(body);
    return;
  }
  const { data, ...rest } = body;
  let piece = '{"data":[';
  let separator = "";
  for (const entry of data) {
    piece += separator + JSON.stringify(entry);
    separator = ",";
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  const after = JSON.stringify(rest).slice(1);
  yield `${piece}]${after === "}" ? "" : ","}${after}`;
}

function isList(body: unknown): body is { readonly data: readonly unknown[] } {
  if (typeof body !== "object" || body === null) return false;
  const [first] = Object.keys(body);
  return first === "data" && "data" in body && Array.isArray(body.data);
}

const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What is not longer costs more to compress than to send. */
const SMALL_BYTES = 1_024;

/**
 * What is not longer is compressed at once, in a tenth of a millisecond: in the threads it would wait for large answers and
 * for files, which are others'.
 */
const SHORT_BYTES = 16_384;

/** For what is made for one request: level 4 takes eight times as long for a mebibyte of JSON, and saves a twentieth. */
const GZIP: ZlibOptions = { level: 1, memLevel: 8 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const CONSTANT_GZIP: ZlibOptions = { level: 9 };
const CONSTANT_BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const gzipAll = promisify<Buffer | string, ZlibOptions, Buffer>(gzip);
const brotliAll = promisify<Buffer | string, BrotliOptions, Buffer>(brotliCompress);

/**
 * The encoding to send a response in, the first that `Accept-Encoding` prefers; null for none. What shows a secret (`no-store`) is never
 * compressed, because its length would then reveal its content.
 */
function chooseEncoding(ctx: Context, bytes: number): Encoding | null {
  if (bytes <= SMALL_BYTES || isSecret(ctx)) return null;
  if (ctx.res.hasHeader("Vary")) ctx.vary("Accept-Encoding");
  else ctx.res.setHeader("Vary", "Accept-Encoding");
  if (ctx.method === "HEAD" || ctx.req.headers["accept-encoding"] === undefined) return null;
  const accepted = ctx.acceptsEncodings(...ENCODINGS, "identity");
  return ENCODINGS.find((encoding) => encoding === accepted) ?? null;
}

function isSecret(ctx: Context): boolean {
  return String(ctx.res.getHeader("Cache-Control")).includes("no-store");
}

export function compress(content: Buffer | string, encoding: Encoding): Promise<Buffer> {
  if (Buffer.byteLength(content) <= SHORT_BYTES) {
    const short = encoding === "br" ? brotliCompressSync(content, BROTLI) : gzipSync(content, GZIP);
    return Promise.resolve(short);
  }
  return encoding === "br" ? brotliAll(content, BROTLI) : gzipAll(content, GZIP);
}

function createCompressor(encoding: Encoding): Transform {
  return encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

const constant = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** For content that is the same in every response: compressed once, and better. */
function compressConstant(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = constant.get(content) ?? new Map<Encoding, Promise<Buffer>>();
  constant.set(content, known);
  const made =
    known.get(encoding) ??
    (encoding === "br" ? brotliAll(content, CONSTANT_BROTLI) : gzipAll(content, CONSTANT_GZIP));
  known.set(encoding, made);
  return made;
}
