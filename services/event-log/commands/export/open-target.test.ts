import { describe, expect, it, afterEach, beforeEach } from "@jest/globals";
import type { LoggedEvent } from "../../store/log-export.ts";
import { EVENT_COLUMNS } from "./event-columns.ts";
import { LINE_FORMATS, openPartsTarget } from "./open-target.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const CREATED_AT = new Date("2026-11-01T08:00:00.123Z");

const event: LoggedEvent = {
  id: "0198c0de-0000-7000-8000-000000000001",
  account_id: "0198c0de-0000-7000-8000-000000000002",
  seq: 1,
  type: "call.missed",
  order_id: null,
  sequence_key: "+12125550123",
  order_sequence: null,
  created_at: CREATED_AT,
  stored_at: "2026-11-01T08:00:00.456999Z",
  context: { occurred_at: "2026-11-01T07:59:59.000Z" },
  body: Buffer.from(
    `{"id":"0198c0de-0000-7000-8000-000000000001","type":"call.missed","created_at":"${CREATED_AT.toISOString()}","payload":{}}`,
  ),
};

const TIMES = ["2026-11-01T08:00:00.123Z", "2026-11-01T08:00:00.456Z", "2026-11-01T07:59:59.000Z"];

describe("a CSV of events", () => {
  it("has no cell that a spreadsheet would run, and phone numbers as they are", () => {
    const context = { ...event.context, losing_carrier: '=HYPERLINK("http://a.example","x")' };
    const line = LINE_FORMATS.csv.line({ ...event, context });
    expect(line).toContain(`,"'=HYPERLINK(""http://a.example"",""x"")",`);
    expect(line).toContain(",+12125550123,");
  });
});

describe("the times of an exported event", () => {
  it("have the same milliseconds in CSV, NDJSON and the columns of Parquet, cut and not rounded", () => {
    const instants = EVENT_COLUMNS.filter(({ type }) => type === "instant");
    expect(instants.map(({ name }) => name)).toEqual(["created_at", "stored_at", "occurred_at"]);
    expect(instants.map(({ value }) => value(event))).toEqual(TIMES);
    const timesIn = (line: string): string[] => line.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
    expect(timesIn(LINE_FORMATS.csv.line(event))).toEqual(TIMES);
    expect(timesIn(LINE_FORMATS.ndjson.line(event)).toSorted()).toEqual(TIMES.toSorted());
  });
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parquet-parts-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function eventAt(at: string, n: number): LoggedEvent {
  return {
    id: `0198c0de-0000-7000-8000-00000000000${n}`,
    type: "porting_order.created",
    account_id: "0198c0de-0000-7000-8000-0000000000aa",
    seq: n,
    order_id: null,
    sequence_key: "key",
    order_sequence: null,
    created_at: new Date(at),
    stored_at: at,
    context: null,
    body: Buffer.from('{"payload":{}}'),
  };
}

/** What DuckDB answers to a question, on a machine in this zone. */
async function askIn(zone: string, question: string): Promise<unknown> {
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`set TimeZone = '${zone}'`);
  const answer = await duckdb.runAndReadAll(question.replace("FILES", `'${folder}/*.parquet'`));
  const [row] = answer.getRowsJson();
  duckdb.closeSync();
  return row?.[0];
}

describe("the parts of a Parquet export", () => {
  it("have instants, which are the same in every zone", async () => {
    const target = await openPartsTarget(folder);
    const times = [
      "2026-11-01T00:30:00.000Z",
      "2026-11-01T05:30:00.000Z",
      "2026-11-01T23:59:59.999Z",
    ];
    await target.write(times.map(eventAt));
    await target.close();
    const since = `select count(*) from FILES where created_at >= '2026-11-01T05:00:00Z'`;
    const stored = `select epoch_ms(min(stored_at)) from FILES`;
    const type = "select typeof(created_at) from FILES limit 1";
    for (const zone of ["UTC", "America/New_York", "Asia/Tokyo"]) {
      expect([
        zone,
        await askIn(zone, since),
        await askIn(zone, stored),
        await askIn(zone, type),
      ]).toEqual([zone, "2", String(Date.parse(times[0] ?? "")), "TIMESTAMP WITH TIME ZONE"]);
    }
  });
});
