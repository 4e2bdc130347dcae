import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import type { Queryable } from "../db/transaction.ts";
import type { RawMessage } from "./raw-message.ts";
import { deadLetterMessage, type DescribeDeadLetter } from "./dead-letters.ts";
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

/** A database that has the message's dead letter, or not yet; `steps` are the statements, and what came between them. */
function fakeDatabase({ isStored }: { readonly isStored: boolean }) {
  const steps: string[] = [];
  const letters: unknown[] = [];
  const sent: unknown[] = [];
  const query = (statement: string | QueryConfig) => {
    const { text, values } = typeof statement === "string" ? { text: statement } : statement;
    const [what = ""] = /^\w+( into [\w.]+)?/.exec(text) ?? [];
    steps.push(what);
    const rows = (): unknown[] => JSON.parse(String(values?.[0])) as unknown[];
    if (text.startsWith("insert into messaging.outbox")) sent.push(...rows());
    if (!text.startsWith("insert into messaging.dead_letters"))
      return Promise.resolve({ rows: [] });
    letters.push(...rows());
    return Promise.resolve({ rows: isStored ? [] : [{ id: "new" }] });
  };
  const client = { query, release: () => undefined };
  const pool = { connect: () => Promise.resolve(client) } as unknown as Pool;
  return { pool, client, steps, letters, sent };
}

async function deadLetter(
  isStored: boolean,
  describeLetter?: DescribeDeadLetter,
  message: RawMessage = raw,
) {
  const database = fakeDatabase({ isStored });
  const options = { clock: { now: () => new Date(0) }, consumer: "planted" };
  const described = describeLetter === undefined ? {} : { describe: describeLetter };
  await deadLetterMessage({ pool: database.pool, ...options, ...described }, message, CAUSE);
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
    const { client, steps, letters } = await deadLetter(false, describeLetter);
    expect(letters).toMatchObject([{ order_id: ORDER_ID, error_code: "rule_broken" }]);
    expect(noted).toEqual([[client, CAUSE]]);
    expect(reads()).toBe(1);
    const position = "insert into messaging.consumer_positions";
    expect(steps).toEqual(["begin", ...INSERTS, position, "commit"]);
  });

  it("is not noted again where it is stored already", async () => {
    const { describeLetter, noted } = describing();
    const { steps } = await deadLetter(true, describeLetter);
    expect(noted).toEqual([]);
    expect(steps).not.toContain("insert into messaging.outbox");
  });

  it("has no order where nothing describes its message", async () => {
    const { letters } = await deadLetter(false);
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
    const { letters, sent } = await deadLetter(false, describeLetter, message);
    const kept = Object.fromEntries(names.slice(0, 62).map((name) => [name, "v"]));
    expect(letters).toMatchObject([{ key: null, headers: kept }]);
    expect(sent).toMatchObject([{ key: null, headers: { "error-code": CAUSE.code } }]);
    expect(described).toMatchObject([{ key: null, headers: kept }]);
    expect(JSON.stringify([letters, sent]).length).toBeLessThan(5_000);
  });
});
