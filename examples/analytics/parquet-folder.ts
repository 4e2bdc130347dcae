import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { Column } from "./columns.ts";
import type { Settings } from "./settings.ts";
import { quoted } from "./sql-text.ts";

/** An event as JSON has it, and its place on the topic. */
export interface PlacedEvent {
  readonly kafka_partition: number;
  readonly kafka_offset: number;
}

/** Events of one partition, in order. */
export interface EventBatch {
  readonly partition: number;
  readonly events: readonly PlacedEvent[];
  readonly columns: readonly Column[];
  /** Is called after each file: many may take longer than the reader's session. */
  readonly onFile?: () => Promise<void>;
}

const PLACE: readonly Column[] = [
  { name: "kafka_partition", type: "INTEGER" },
  { name: "kafka_offset", type: "BIGINT" },
];

/** The Parquet files of one topic. A file has a range of a partition's offsets, and its name says which. */
export class ParquetFolder {
  readonly #settings: Settings;
  readonly #duckdb: DuckDBConnection;

  private constructor(settings: Settings, duckdb: DuckDBConnection) {
    this.#settings = settings;
    this.#duckdb = duckdb;
  }

  static async open(settings: Settings): Promise<ParquetFolder> {
    // Only its owner may read what customers' numbers are in.
    await mkdir(settings.folder, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create();
    return new ParquetFolder(settings, await instance.connect());
  }

  close(): void {
    this.#duckdb.closeSync();
  }

  /** The consumer group of this folder: its committed offsets say what is in these files and in no others. */
  async group(): Promise<string> {
    const path = join(this.#settings.folder, ".group");
    const group = `analytics-${randomBytes(4).toString("hex")}`;
    await writeFile(path, group, { flag: "wx" }).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
    return readFile(path, "utf8");
  }

  /** Adds the events to the files of their ranges. Once it returns, the offsets may be committed. */
  async add({ partition, events, columns, onFile }: EventBatch): Promise<void> {
    const ranges = new Map<number, PlacedEvent[]>();
    for (const event of events) {
      const range = Math.floor(event.kafka_offset / this.#settings.offsetsPerFile);
      const added = ranges.get(range);
      if (added === undefined) ranges.set(range, [event]);
      else added.push(event);
    }
    for (const [range, added] of ranges) {
      await this.#merge(this.#nameOf(partition, range), added, [...PLACE, ...columns]);
      await onFile?.();
    }
  }

  #nameOf(partition: number, range: number): string {
    const { topic, offsetsPerFile } = this.#settings;
    const first = range * offsetsPerFile;
    const places = [first, first + offsetsPerFile - 1].map((n) => String(n).padStart(12, "0"));
    return `${topic}-${String(partition).padStart(3, "0")}-${places.join("-")}.parquet`;
  }

  /**
   * Puts a file in place that has the events of the earlier one and these, each offset once. An event that is there
   * already is replaced by itself, so a batch that comes again after a kill changes nothing.
   */
  async #merge(
    name: string,
    events: readonly PlacedEvent[],
    columns: readonly Column[],
  ): Promise<void> {
    const path = join(this.#settings.folder, name);
    const lines = `${path}.lines`;
    const temporary = `${path}.new`;
    await writeFile(lines, events.map((event) => `${JSON.stringify(event)}\n`).join(""), {
      mode: 0o600,
    });
    await this.#duckdb.run(readLines(lines, columns));
    await this.#duckdb.run(writeFileOf(temporary, (await exists(path)) ? path : null));
    await sync(temporary);
    await rename(temporary, path);
    await sync(this.#settings.folder);
    await rm(lines);
  }
}

function readLines(lines: string, columns: readonly Column[]): string {
  const types = columns.map(({ name, type }) => `"${name}": ${quoted(type)}`).join(", ");
  return `create or replace temp table batch as
    select * from read_json(${quoted(lines)}, format = 'newline_delimited', columns = {${types}})`;
}

function writeFileOf(temporary: string, earlier: string | null): string {
  const kept =
    earlier === null
      ? ""
      : `union all by name select * from read_parquet(${quoted(earlier)})
        where kafka_offset not in (select kafka_offset from batch)`;
  return `copy (select * from batch ${kept} order by kafka_offset)
    to ${quoted(temporary)} (format parquet, compression zstd)`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    },
  );
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

/** So that a power cut after the commit does not lose what was committed. */
async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
