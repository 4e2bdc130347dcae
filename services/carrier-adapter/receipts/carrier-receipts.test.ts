import { describe, expect, it } from "@jest/globals";
import type { QueryConfig, QueryResult } from "pg";
import type { Bus } from "../../messages/bus/bus.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { describeMessage } from "./carrier-receipts.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const KEY_ID = "0197a1b2-0000-7000-8000-000000000001";
const NAMED_ID = "0197a1b2-0000-7000-8000-000000000002";

const raw = buildRawMessage({ topic: "carriers.updates", key: Buffer.from(KEY_ID) });

/** A bus that reads every message as an update on this order. */
function busReading(orderId: string) {
  let reads = 0;
  const decode = () => {
    reads += 1;
    return Promise.resolve({ provider: "manual", update_id: "u1", order_id: orderId });
  };
  const codec = { decode, encode: () => Buffer.from("receipt") };
  const bus = { codec, topicPrefix: "", clock: { now: () => new Date(0) } };
  return { bus: bus as unknown as Bus, reads: () => reads };
}

function recording() {
  const statements: QueryConfig[] = [];
  const query = (statement: QueryConfig) => {
    statements.push(statement);
    return Promise.resolve({ rows: [] } as unknown as QueryResult<never>);
  };
  return { tx: { query } satisfies Queryable, statements };
}

describe("a message that is dead-lettered", () => {
  it("is read once for its headers, its order, the timeline and its receipt", async () => {
    const { bus, reads } = busReading(NAMED_ID.toUpperCase());
    const { headers, orderId, note } = await describeMessage(bus)(raw, true);
    const { tx, statements } = recording();
    await note?.(tx, { code: "rule_broken", detail: "planted" });
    expect(headers).toEqual({ provider: "manual", "update-id": "u1" });
    expect(orderId).toBe(NAMED_ID);
    expect(statements.map(({ name }) => name)).toEqual(["dead-letter-note", "outbox-insert"]);
    expect(statements[0]?.values).toContain(NAMED_ID);
    expect(reads()).toBe(1);
  });

  it("is about the order that is its key where it names none", async () => {
    const { bus } = busReading("no UUID");
    expect((await describeMessage(bus)(raw, true)).orderId).toBe(KEY_ID);
    const other = { ...raw, key: Buffer.from("another key") };
    expect((await describeMessage(bus)(other, true)).orderId).toBeNull();
  });

  it("is not read where that has ended its readers, and is named by its header", async () => {
    const { bus, reads } = busReading(NAMED_ID);
    const named = { ...raw, headers: { provider: "us-lsr" } };
    const { headers, orderId, note } = await describeMessage(bus)(named, false);
    const { tx, statements } = recording();
    await note?.(tx, { code: "handler_died", detail: "planted" });
    expect([headers, orderId]).toEqual([{ provider: "us-lsr" }, KEY_ID]);
    expect(statements.map(({ name }) => name)).toEqual(["dead-letter-note", "outbox-insert"]);
    expect(reads()).toBe(0);
  });
});
