import { isUtf8 } from "node:buffer";

import { AppError } from "../../errors.ts";

export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a JSON text in UTF-8. Throws `malformed_json` for anything else, for nesting deeper than 32, and
 * for NUL or lone surrogates in a string, which Postgres cannot store. Of duplicate keys the last one
 * wins.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8.");
  if (isTooDeep(bytes)) throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed("The body is not valid JSON.", cause);
  }
  // JSON has no raw control characters and UTF-8 no surrogates: only an escape can contain either.
  if (text.includes("\\u") && !isStorable(value)) {
    throw malformed("A string contains a NUL character or half of a surrogate pair.");
  }
  return value;
}

function malformed(detail: string, cause?: unknown): AppError {
  return new AppError("malformed_json", detail, { cause });
}

/** Counted on the bytes, before anything is built or recursed into. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !LONE_SURROGATE.test(value) && !value.includes("\0");
  if (Array.isArray(value)) return value.every(isStorable);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
}
