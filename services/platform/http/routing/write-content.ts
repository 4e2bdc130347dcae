import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Context } from "koa";
import {
  chooseEncoding,
  compress,
  compressConstant,
  createCompressor,
  type Encoding,
} from "./compression.ts";
import { jsonPieces } from "./json-pieces.ts";
import { isEventStream, type RawContent, type Reply } from "./reply.ts";

/** What is longer is written in slices, so that it is seen how fast the client reads. */
const SLICE_BYTES = 65_536;

interface WholeContent {
  readonly content: string | Buffer;
  readonly isConstant: boolean;
}

/** Writes a JSON body; a long list is made while it is written, and has no Content-Length. */
export async function writeJson(ctx: Context, type: string, body: unknown): Promise<void> {
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
export async function writeContent(ctx: Context, raw: RawContent): Promise<void> {
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

function compressWhole({ content, isConstant }: WholeContent, encoding: Encoding): Promise<Buffer> {
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
