import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Column } from "../../../examples/analytics/columns.ts";
import { ParquetFolder } from "../../../examples/analytics/parquet-folder.ts";
import { readSettings } from "../../../examples/analytics/settings.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const OLD: readonly Column[] = [
  { name: "id", type: "VARCHAR" },
  { name: "created_at", type: "TIMESTAMPTZ" },
  { name: "payload", type: 'STRUCT("made" STRUCT("at" TIMESTAMPTZ, "numbers" VARCHAR[]))' },
];
const NEW: readonly Column[] = [
  ...OLD.slice(0, 2),
  {
    name: "payload",
    type: 'STRUCT("made" STRUCT("at" TIMESTAMPTZ, "numbers" VARCHAR[], "why" VARCHAR), "gone" STRUCT("by" VARCHAR))',
  },
  { name: "actor", type: "VARCHAR" },
];
const AT = "2026-11-01T09:00:00.123Z";

let files: string;
let folder: ParquetFolder;

function eventAt(offset: number, more: object = {}) {
  const payload = { made: { at: AT, numbers: ["+12125550123", "it's"] } };
  return {
    kafka_partition: 1,
    kafka_offset: offset,
    id: `event-${offset}`,
    created_at: AT,
    payload,
    ...more,
  };
}

const add = (columns: readonly Column[], ...offsets: number[]): Promise<void> => {
  return folder.add({ partition: 1, events: offsets.map((n) => eventAt(n)), columns });
};

async function rows(select: string): Promise<unknown[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const path = join(files, "*.parquet").replaceAll("'", "''");
  const from = `from read_parquet('${path}', union_by_name = true)`;
  const reader = await connection.runAndReadAll(`select ${select} ${from} order by kafka_offset`);
  return reader.getRowsJS().map((row) => (row.length === 1 ? row[0] : row));
}

const offsets = (): Promise<unknown[]> => rows("kafka_offset::integer");

beforeEach(async () => {
  files = join(temporaryFolder("parquet"), "an analyst's");
  folder = await ParquetFolder.open(
    readSettings({
      KAFKA_BROKERS: "none:9092",
      SCHEMA_REGISTRY_URL: "http://none:8081",
      DATA_DIR: files,
      OFFSETS_PER_FILE: "10",
    }),
  );
});

describe("a folder of events", () => {
  it("has a file for each range of offsets, with typed columns", async () => {
    await add(OLD, 7, 8, 9, 10, 11);
    expect(readdirSync(files).toSorted()).toEqual([
      "porting.events-001-000000000000-000000000009.parquet",
      "porting.events-001-000000000010-000000000019.parquet",
    ]);
    const [first] = await rows("created_at, payload.made.at, payload.made.numbers");
    expect(first).toEqual([new Date(AT), new Date(AT), ["+12125550123", "it's"]]);
    expect(statSync(files).mode & 0o077).toBe(0);
  });

  it("takes a batch that comes again, cut elsewhere, without a double and without a gap", async () => {
    await add(OLD, 0, 1, 2, 3);
    await add(OLD, 1, 2);
    expect(await offsets()).toEqual([0, 1, 2, 3]);
    await add(OLD, 2, 3, 4, 12);
    expect(await offsets()).toEqual([0, 1, 2, 3, 4, 12]);
  });

  it("goes on over what a kill left half written", async () => {
    await add(OLD, 0, 1);
    const [name = ""] = readdirSync(files);
    for (const end of [".lines", ".new"]) writeFileSync(join(files, name + end), "half");
    expect(await offsets()).toEqual([0, 1]);
    await add(OLD, 2);
    expect(await offsets()).toEqual([0, 1, 2]);
  });

  it("gains the columns of a later schema, which are null in earlier rows", async () => {
    await add(OLD, 0, 11);
    const later = eventAt(1, { payload: { made: null, gone: { by: "expiry" } }, actor: "system" });
    await folder.add({ partition: 1, events: [later], columns: NEW });
    expect(await rows("kafka_offset::integer, actor, payload.gone.by, payload.made.why")).toEqual([
      [0, null, null, null],
      [1, "system", "expiry", null],
      [11, null, null, null],
    ]);
  });

  it("keeps one consumer group, which another folder does not share", async () => {
    const group = await folder.group();
    expect(await folder.group()).toBe(group);
    expect(group).toMatch(/^analytics-[0-9a-f]{8}$/);
  });
});
