import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import type { Queryable } from "../db/transaction.ts";
import type { RawMessage } from "./raw-message.ts";
import { deadLetterMessages, type DescribeDeadLetter } from "./dead-letters.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const ORDER_ID = "0197a1b2-0000-7000-8000-000000000001";
const CAUSE = { code: "rule_broken", detail: "planted" };

const raw = buildRawMessage({
  topic: "carriers.updates",
  partition: 3,
  offset: 7,
  key: Buffer.from("another key"),
  value: Buffer.from("value"),
});

interface Row {
  readonly kafka_offset: number;
}

/** A database that has the dead letters of these offsets; `steps` are the statements, and what came between them. */
function fakeDatabase(stored: readonly number[]) {
  const steps: string[] = [];
  const letters: unknown[] = [];
  const sent: unknown[] = [];
  const positions: unknown[] = [];
  const query = (statement: string | QueryConfig) => {
    const { text, values } = typeof statement === "string" ? { text: statement } : statement;
    const [what = ""] = /^\w+( into [\w.]+)?/.exec(text) ?? [];
    steps.push(what);
    const rows = (): unknown[] => JSON.parse(String(values?.[0])) as unknown[];
    if (text.startsWith("insert into messaging.outbox")) sent.push(...rows());
    if (text.startsWith("insert into messaging.consumer_positions")) {
      const { positions: moved } = JSON.parse(String(values?.[0])) as { positions: unknown[] };
      positions.push(...moved);
    }
    if (!text.startsWith("insert into messaging.dead_letters"))
      return Promise.resolve({ rows: [] });
    letters.push(...rows());
    const isNew = (row: unknown) => !stored.includes((row as Row).kafka_offset);
    return Promise.resolve({ rows: rows().filter(isNew) });
  };
  const client = { query, release: () => undefined };
  const pool = { connect: () => Promise.resolve(client) } as unknown as Pool;
  return { pool, client, steps, letters, sent, positions };
}

async function deadLetter(
  stored: readonly number[],
  describeLetter?: DescribeDeadLetter,
  messages: readonly RawMessage[] = [raw],
) {
  const database = fakeDatabase(stored);
  const options = { clock: { now: () => new Date(0) }, consumer: "planted" };
  const described = describeLetter === undefined ? {} : { describe: describeLetter };
  const refused = messages.map((one) => ({ raw: one, cause: CAUSE }));
  await deadLetterMessages({ pool: database.pool, ...options, ...described }, refused);
  return database;
}

/** Describes the message, and keeps with what it was called. */
function describing() {
  const noted: unknown[] = [];
  let reads = 0;
  const describeLetter: DescribeDeadLetter = () => {
    reads += 1;
    return {
      headers: { provider: "manual" },
      orderId: ORDER_ID,
      note: (tx: Queryable, cause) => Promise.resolve(void noted.push([tx, cause])),
    };
  };
  return { describeLetter, noted, reads: () => reads };
}

const INSERTS = ["insert into messaging.dead_letters", "insert into messaging.outbox"];

describe("a dead letter", () => {
  it("is stored with the order that its message names, which is read once and before", async () => {
    const { describeLetter, noted, reads } = describing();
    const { client, steps, letters } = await deadLetter([], describeLetter);
    expect(letters).toMatchObject([{ order_id: ORDER_ID, error_code: "rule_broken" }]);
    expect(noted).toEqual([[client, CAUSE]]);
    expect(reads()).toBe(1);
    const position = "insert into messaging.consumer_positions";
    expect(steps).toEqual(["begin", ...INSERTS, position, "commit"]);
  });

  it("is not noted again where it is stored already", async () => {
    const { describeLetter, noted } = describing();
    const { steps } = await deadLetter([raw.offset], describeLetter);
    expect(noted).toEqual([]);
    expect(steps).not.toContain("insert into messaging.outbox");
  });

  it("shares the transaction of those before it, each with its place and its note", async () => {
    const { describeLetter, noted, reads } = describing();
    const messages = [7, 8, 9].map((offset) => ({ ...raw, offset }));
    const { steps, letters, sent, positions } = await deadLetter([], describeLetter, messages);
    expect(letters).toMatchObject([{ kafka_offset: 7 }, { kafka_offset: 8 }, { kafka_offset: 9 }]);
    const headers = ["7", "8", "9"].map((offset) => ({ headers: { "source-offset": offset } }));
    expect(sent).toMatchObject(headers);
    expect([noted.length, reads()]).toEqual([3, 3]);
    const position = "insert into messaging.consumer_positions";
    expect(steps).toEqual(["begin", ...INSERTS, position, "commit"]);
    expect(positions).toMatchObject([{ partition: 3, nextOffset: 10 }]);
  });

  it("is written beside those that are stored already, without them", async () => {
    const { describeLetter, noted } = describing();
    const messages = [7, 8, 9].map((offset) => ({ ...raw, offset }));
    const { sent, positions } = await deadLetter([7, 9], describeLetter, messages);
    expect(sent).toMatchObject([{ headers: { "source-offset": "8" } }]);
    expect(noted).toHaveLength(1);
    expect(positions).toMatchObject([{ nextOffset: 10 }]);
  });

  it("has no order where nothing describes its message", async () => {
    const { letters } = await deadLetter([]);
    expect(letters).toMatchObject([{ order_id: null }]);
  });

  it("has neither a key that is too long nor headers without end, wherever it goes", async () => {
    const names = Array.from({ length: 70 }, (_, n) => `h${n}`);
    const headers = Object.fromEntries(names.map((name) => [name, "v"]));
    const key = Buffer.alloc(400_000, "k");
    const described: RawMessage[] = [];
    const describeLetter: DescribeDeadLetter = (one) => {
      described.push(one);
      return {};
    };
    const message = { ...raw, key, headers, headerCount: names.length };
    const { letters, sent } = await deadLetter([], describeLetter, [message]);
    const kept = Object.fromEntries(names.slice(0, 62).map((name) => [name, "v"]));
    expect(letters).toMatchObject([{ key: null, headers: kept }]);
    expect(sent).toMatchObject([{ key: null, headers: { "error-code": CAUSE.code } }]);
    expect(described).toMatchObject([{ key: null, headers: kept }]);
    expect(JSON.stringify([letters, sent]).length).toBeLessThan(5_000);
  });
});
