import type { IncomingMessage } from "node:http";

import { AppError } from "../../errors.ts";

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
