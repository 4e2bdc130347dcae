import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import {
  fileWriter,
  ParquetWriter,
  schemaFromColumnData,
  type BasicType,
  type ColumnSource,
} from "hyparquet-writer";
import type { LoggedEvent } from "../../store/log-export.ts";
import { EVENT_COLUMNS, type ColumnType, type EventColumn } from "./event-columns.ts";
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
