import { once } from "node:events";
import { mkdir, open, readdir, rename, type FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import { join } from "node:path";
import {
  fileWriter,
  ParquetWriter,
  schemaFromColumnData,
  type BasicType,
  type ColumnSource,
} from "hyparquet-writer";
import type { LoggedEvent } from "../../store/log-export.ts";
import { AppError, errorCodeOf } from "../../../platform/errors.ts";
import { csvCell } from "../../../platform/http/csv.ts";
import { UUID_PATTERN } from "../../../platform/ids.ts";
import { EVENT_COLUMNS, storedAtOf, type ColumnType, type EventColumn } from "./event-columns.ts";
import type { ExportTarget } from "./export-log.ts";

const GROUP_ROWS = 10_000;
const PART_ROWS = 100_000;

const PARQUET_TYPES = {
  text: "STRING",
  number: "INT64",
} as const satisfies Partial<Record<ColumnType, BasicType>>;

/** Without this logical type, a reader takes an instant for a local time of its own zone. */
const INSTANT = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  repetition_type: "OPTIONAL",
} as const;

type Cell = string | bigint | Date | null;

function cellOf({ type, value }: EventColumn, event: LoggedEvent): Cell {
  const cell = value(event);
  if (cell === null) return null;
  if (typeof cell === "number") return BigInt(cell);
  return type === "instant" ? new Date(cell) : cell;
}

function columnsOf(events: readonly LoggedEvent[]): ColumnSource[] {
  return EVENT_COLUMNS.map((column) => ({
    name: column.name,
    ...(column.type === "instant" ? {} : { type: PARQUET_TYPES[column.type] }),
    data: events.map((event) => cellOf(column, event)),
  }));
}

const INSTANTS = EVENT_COLUMNS.filter(({ type }) => type === "instant");
const SCHEMA = schemaFromColumnData({
  columnData: columnsOf([]),
  schemaOverrides: Object.fromEntries(INSTANTS.map(({ name }) => [name, { name, ...INSTANT }])),
});
const PART = /^events-(\d{6,})-([0-9a-f-]{36})\.parquet$/;

/** A part of the export that is being written, of which at most one group is in memory. */
interface OpenPart {
  readonly writer: ParquetWriter;
  readonly group: LoggedEvent[];
  rows: number;
}

/**
 * Writes parts into a folder, each named after its number and its last event and moved into place once it is whole; the
 * folder is its own state. A part that a kill cut off has a temporary name, and is written again.
 */
export async function openPartsTarget(folder: string): Promise<ExportTarget> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const last = lastPart(await readdir(folder));
  const temporary = join(folder, "events.tmp");
  let number = last.number;
  let part: OpenPart | null = null;

  const endGroup = async ({ writer, group }: OpenPart): Promise<void> => {
    if (group.length === 0) return;
    await writer.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    group.length = 0;
  };
  const endPart = async (ending: OpenPart, lastId: string): Promise<void> => {
    await endGroup(ending);
    await ending.writer.finish();
    await syncFile(temporary);
    number += 1;
    await rename(temporary, join(folder, partName(number, lastId)));
    await syncFile(folder);
    part = null;
  };
  let lastId = last.id;
  return {
    lastId,
    write: async (events) => {
      for (const event of events) {
        part ??= { writer: newWriter(temporary), group: [], rows: 0 };
        part.group.push(event);
        part.rows += 1;
        lastId = event.id;
        if (part.group.length === GROUP_ROWS) await endGroup(part);
        if (part.rows === PART_ROWS) await endPart(part, event.id);
      }
    },
    close: async () => {
      if (part !== null && lastId !== null) await endPart(part, lastId);
    },
  };
}

function newWriter(path: string): ParquetWriter {
  return new ParquetWriter({ writer: fileWriter(path), schema: SCHEMA });
}

function partName(number: number, lastId: string): string {
  return `events-${String(number).padStart(6, "0")}-${lastId}.parquet`;
}

interface LastPart {
  readonly number: number;
  readonly id: string | null;
}

function lastPart(names: readonly string[]): LastPart {
  const parts = names.flatMap((name): LastPart[] => {
    const [, number, id] = PART.exec(name) ?? [];
    return number === undefined || id === undefined ? [] : [{ number: Number(number), id }];
  });
  return parts.reduce((last, one) => (one.number > last.number ? one : last), {
    number: 0,
    id: null,
  });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A format of one event per line. */
interface LineFormat {
  /** With which every file of the format begins. */
  readonly opening: string;
  /** The first line, without its line ending; null if the events begin at once. */
  readonly header: string | null;
  readonly line: (event: LoggedEvent) => string;
  /** The id of a line's event; null if it is not such a line. */
  readonly idOf: (line: string) => string | null;
}

const ND_LINE = new RegExp(`"event":\\{"id":"(${UUID_PATTERN})"`);
const CSV_LINE = new RegExp(`^(${UUID_PATTERN}),`);

/** The envelope, and in `event` the bytes that webhooks carry. */
function jsonLine({ body, context, ...event }: LoggedEvent): string {
  const { account_id, seq, order_id, sequence_key, order_sequence } = event;
  const stored_at = storedAtOf(event);
  const place = { account_id, seq, order_id, sequence_key, order_sequence, stored_at };
  return `${JSON.stringify({ ...place, ...context }).slice(0, -1)},"event":${body.toString()}}`;
}

/** Without line breaks in a cell, so that a line is an event. */
function csvText(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  return csvCell(value.replace(/[\r\n]+/g, " "));
}

const CSV_HEADER = EVENT_COLUMNS.map(({ name }) => name).join(",");

export const LINE_FORMATS = {
  ndjson: {
    opening: '{"account_id":',
    header: null,
    line: jsonLine,
    idOf: (line) => ND_LINE.exec(line)?.[1] ?? null,
  },
  csv: {
    opening: "id,type,",
    header: CSV_HEADER,
    line: (event) => EVENT_COLUMNS.map(({ value }) => csvText(value(event))).join(","),
    idOf: (line) => CSV_LINE.exec(line)?.[1] ?? null,
  },
} as const satisfies Record<string, LineFormat>;

function linesOf(format: LineFormat, events: readonly LoggedEvent[]): string {
  return events.map((event) => `${format.line(event)}\n`).join("");
}

/** Writes to a stream, as fast as it is read. */
function streamTarget(stream: Writable, format: LineFormat): ExportTarget {
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
async function openFileTarget(path: string, format: LineFormat): Promise<ExportTarget> {
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

export const EXPORT_FORMATS = ["ndjson", "csv", "parquet"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Opens a file (for Parquet: a folder) to be continued; without a path, standard output. */
export async function openTarget(format: ExportFormat, path?: string): Promise<ExportTarget> {
  try {
    return await targetOf(format, path);
  } catch (error) {
    const why = errorCodeOf(error);
    if (why === "" || error instanceof AppError) throw error;
    throw new AppError("invalid_config", `--out ${path ?? ""} cannot be written: ${why}.`);
  }
}

async function targetOf(format: ExportFormat, path?: string): Promise<ExportTarget> {
  if (format === "parquet") {
    if (path !== undefined) return openPartsTarget(path);
    throw new AppError("invalid_config", "Parquet is written to a folder: give --out <folder>.");
  }
  const lines = LINE_FORMATS[format];
  return path === undefined ? streamTarget(process.stdout, lines) : openFileTarget(path, lines);
}
