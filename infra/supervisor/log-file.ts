import { mkdirSync, openSync, readSync, closeSync, fstatSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 8_192;

/** Opens a program's log for appending; one that has grown past 20 MB is put aside as `.1` first. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

function tail(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8");
  } finally {
    closeSync(file);
  }
}

interface PinoLine {
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

function readable(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { msg, err } = JSON.parse(line) as PinoLine;
    return [msg, err?.message].filter((part) => part !== undefined).join(": ");
  } catch {
    return line;
  }
}

/** What a program said last, as one short line; empty when it said nothing. */
export function lastWords(path: string): string {
  const lines = tail(path)
    .split("\n")
    // A stack trace's own lines say less than what stands above them.
    .filter((line) => line.trim() !== "" && !/^\s/.test(line));
  return readable(lines.at(-1) ?? "").slice(0, 300);
}
