import { describe, expect, it } from "@jest/globals";
import type { LoggedEvent } from "../../store/log-export.ts";
import { EVENT_COLUMNS } from "./event-columns.ts";
import { LINE_FORMATS } from "./line-format.ts";

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
