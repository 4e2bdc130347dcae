/** As V8 ends its messages, but for those of a token that does not belong there, and of a text that is too short. */
const PLACE = /at position (\d+)(?: \(line \d+ column \d+\))?$/;
const SPACE = /[\t\n\r ]/;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const PUNCTUATION = "{}[],:";
/** Behind these a value is due, so that none of the others may follow. */
const BEFORE_VALUE = "[,:";

/** Where a text stops being JSON, such as `line 1, column 8`, of what `JSON.parse` threw; nothing of the text is told. */
export function placeOfJsonFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, told] = PLACE.exec(message) ?? [];
  if (told !== undefined) return placeAt(text, Number(told));
  return placeAt(text, findToken(text));
}

function placeAt(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** The first that is no value where one is due: all before it is JSON, or V8 would have found another fault. */
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
