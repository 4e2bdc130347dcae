import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { LoggedEvent } from "../../store/log-export.ts";
import { openPartsTarget } from "./parquet-parts.ts";

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
