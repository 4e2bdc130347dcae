import type { IncomingMessage } from "node:http";

import { AppError } from "../../errors.ts";

/** How much of a refused body is still read, so that a client that writes first gets to its answer. */
const DRAIN_BYTES = 32 * 1024 * 1024;

/** How long the body is declared to be; null where only the stream shows it. */
export function declaredLength(request: IncomingMessage): number | null {
  if (request.headers["transfer-encoding"] !== undefined) return null;
  const length = request.headers["content-length"];
  return length === undefined ? 0 : Number(length);
}

/** The refusal of a body that is compressed; null where it is not. */
export function findEncoding(request: IncomingMessage): AppError | null {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return null;
  return new AppError("unsupported_media_type", "Send the body without a content encoding.");
}

/** Reads on after a refusal, up to a limit. */
export function drain(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
