import { isUtf8 } from "node:buffer";
import { AppError } from "../../errors.ts";

/** As V8 ends its messages, but for those of a token that does not belong there, and of a text that is too short. */
const POSITION = /at position (\d+)(?: \(line \d+ column \d+\))?$/;
const SPACE = /[\t\n\r ]/;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const PUNCTUATION = "{}[],:";
/** Behind these a value is due, so that none of the others may follow. */
const BEFORE_VALUE = "[,:";

/** Where a text stops being JSON, such as `line 1, column 8`, of what `JSON.parse` threw; nothing of the text is shown. */
function positionOfJsonFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, offset] = POSITION.exec(message) ?? [];
  if (offset !== undefined) return positionAt(text, Number(offset));
  return positionAt(text, findToken(text));
}

function positionAt(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** The first that is not a value where one is due: all before it is JSON, or V8 would have found another fault. */
function findToken(text: string): number {
  let before = ",";
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (SPACE.test(char)) {
      at += 1;
      continue;
    }
    if (PUNCTUATION.includes(char)) {
      const isDue = BEFORE_VALUE.includes(before) && before + char !== "[]";
      if (isDue && char !== "{" && char !== "[") return at;
      before = char;
      at += 1;
      continue;
    }
    const end = char === '"' ? endOfString(text, at) : endOfScalar(text, at);
    if (end === at) return at;
    before = '"';
    at = end;
  }
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

function endOfScalar(text: string, start: number): number {
  SCALAR.lastIndex = start;
  return start + (SCALAR.exec(text)?.[0].length ?? 0);
}

export const MAX_JSON_DEPTH = 32;
/** Properties and entries of arrays together; an order of 1,000 numbers has some 1,010. */
const MAX_JSON_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a JSON text in UTF-8.
 * @throws `malformed_json` for anything else, for a byte order mark, for nesting deeper than 32, for an object with the same
 * property twice, and for NUL or lone surrogates in a string, which Postgres cannot store
 * @throws `payload_too_large` for more than 10,000 values, before any is built
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8.");
  if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    throw malformed("The body begins with a byte order mark: send it without.");
  }
  const { properties } = measure(bytes);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(`The body is not valid JSON at ${positionOfJsonFault(text, cause)}.`, cause);
  }
  // Of a property that comes twice the parser keeps the last without a word.
  if (countProperties(value) < properties) {
    throw malformed("An object of the body has the same property twice.");
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

/** Counted on the bytes, before anything is built or recursed into. @throws where there is too much of anything */
function measure(bytes: Buffer): { readonly properties: number } {
  let depth = 0;
  let properties = 0;
  let separators = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) {
        throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
      }
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    else if (byte === COLON) properties += 1;
    else if (byte === COMMA) separators += 1;
    if (properties > MAX_JSON_VALUES || separators > MAX_JSON_VALUES) throw tooMany();
  }
  return { properties };
}

function tooMany(): AppError {
  const most = MAX_JSON_VALUES.toLocaleString("en");
  return new AppError("payload_too_large", `The body has more than ${most} values.`);
}

function countProperties(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((count, one) => count + countProperties(one), own);
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !LONE_SURROGATE.test(value) && !value.includes("\0");
  if (Array.isArray(value)) return value.every(isStorable);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
}
