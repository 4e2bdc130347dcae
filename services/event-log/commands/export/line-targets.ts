import { once } from "node:events";
import { open, type FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { LoggedEvent } from "../../store/log-export.ts";
import { AppError } from "../../../platform/errors.ts";
import type { ExportTarget } from "./export-log.ts";
import type { LineFormat } from "./line-format.ts";

function linesOf(format: LineFormat, events: readonly LoggedEvent[]): string {
  return events.map((event) => `${format.line(event)}\n`).join("");
}

/** Writes to a stream, as fast as it is read. */
export function streamTarget(stream: Writable, format: LineFormat): ExportTarget {
  const write = async (text: string): Promise<void> => {
    if (!stream.write(text)) await once(stream, "drain");
  };
  let isFirst = true;
  const writeHeader = async (): Promise<void> => {
    if (isFirst && format.header !== null) await write(`${format.header}\n`);
    isFirst = false;
  };
  return {
    lastId: null,
    write: async (events) => {
      await writeHeader();
      await write(linesOf(format, events));
    },
    close: writeHeader,
  };
}

/**
 * Appends to a file, which is its own state: a line that a kill cut off is removed, and the export goes on after the
 * last whole one. @throws `invalid_config` if the file is not an export of the format
 */
export async function openFileTarget(path: string, format: LineFormat): Promise<ExportTarget> {
  // Only its owner may read what customers' numbers are in.
  const file = await open(path, "a+", 0o600);
  try {
    const { line, end } = await readEnd(file, path, format);
    await file.truncate(end);
    if (end === 0 && format.header !== null) await file.appendFile(`${format.header}\n`);
    const lastId = line === null || line === format.header ? null : format.idOf(line);
    if (lastId === null && line !== format.header && line !== null) throw notAnExport(path);
    return {
      lastId,
      write: (events) => file.appendFile(linesOf(format, events)),
      close: async () => {
        await file.sync();
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const NEWLINE = 10;
const CHUNK_BYTES = 65_536;

interface End {
  /** The last whole line; null if there is none. */
  readonly line: string | null;
  /** Where it ends. */
  readonly end: number;
}

async function readEnd(file: FileHandle, path: string, format: LineFormat): Promise<End> {
  const { size } = await file.stat();
  const opening = await readPart(file, 0, Math.min(size, format.opening.length));
  if (!format.opening.startsWith(opening.toString())) throw notAnExport(path);
  for (let length = CHUNK_BYTES; ; length *= 2) {
    const from = Math.max(0, size - length);
    const tail = await readPart(file, from, size - from);
    const last = tail.lastIndexOf(NEWLINE);
    const before = last < 1 ? -1 : tail.lastIndexOf(NEWLINE, last - 1);
    if (from > 0 && before < 0) continue;
    if (last < 0) return { line: null, end: 0 };
    return { line: tail.subarray(before + 1, last).toString(), end: from + last + 1 };
  }
}

async function readPart(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

function notAnExport(path: string): AppError {
  return new AppError(
    "invalid_config",
    `${path} is not an export in this format; give another file.`,
  );
}
