import type { IncomingMessage, ServerResponse } from "node:http";
import getRawBody from "raw-body";

import { sizeText } from "../../byte-size.ts";
import { AppError } from "../../errors.ts";
import { declaredLength, drain, findEncoding } from "./body-stream.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Reads and parses the JSON body; an empty one is `{}`.
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
