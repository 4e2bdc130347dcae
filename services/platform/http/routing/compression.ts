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
import type { Transform } from "node:stream";
import type { Context } from "koa";

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
export function chooseEncoding(ctx: Context, bytes: number): Encoding | null {
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

export function createCompressor(encoding: Encoding): Transform {
  return encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

const constant = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** For content that is the same in every response: compressed once, and better. */
export function compressConstant(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = constant.get(content) ?? new Map<Encoding, Promise<Buffer>>();
  constant.set(content, known);
  const made =
    known.get(encoding) ??
    (encoding === "br" ? brotliAll(content, CONSTANT_BROTLI) : gzipAll(content, CONSTANT_GZIP));
  known.set(encoding, made);
  return made;
}
