import type { IncomingMessage, ServerResponse } from "node:http";
import getRawBody from "raw-body";

import { AppError } from "../errors.ts";
import { parseJson } from "./parse-json.ts";

/** How much of a refused body is still read, so that a client that writes first gets to its answer. */
const DRAIN_BYTES = 32 * 1024 * 1024;

/**
 * The parsed JSON body; an empty one counts as `{}`.
 * @throws `unsupported_media_type`, `payload_too_large`, `malformed_json`, in this order
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<unknown> {
  const length = declaredLength(request);
  if (length === 0) return {};
  const unsupported = findUnsupported(request);
  // A chunked body of another type may yet turn out to be empty.
  if (unsupported !== null && length !== null) throw unsupported;
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await readBytes(request, length, maxBytes).catch((error: unknown) => {
    throw unsupported ?? error;
  });
  if (bytes.length === 0) return {};
  if (unsupported !== null) throw unsupported;
  return parseJson(bytes);
}

/** Null where only the stream will tell. */
function declaredLength(request: IncomingMessage): number | null {
  if (request.headers["transfer-encoding"] !== undefined) return null;
  const length = request.headers["content-length"];
  return length === undefined ? 0 : Number(length);
}

function findUnsupported(request: IncomingMessage): AppError | null {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return new AppError("unsupported_media_type", "Send the body without a content encoding.");
  }
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
      throw new AppError("payload_too_large", `The body is larger than ${maxBytes} bytes.`);
    }
    throw new AppError("malformed_json", "The body ended early.", { cause });
  }
}

function drain(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
