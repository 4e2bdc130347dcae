import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { systemClock } from "../../../services/platform/clock.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { parkMessage } from "../../../services/platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

const CAUSE = { code: "undecodable", detail: "no" };
const OFFSET = 7;

let pool: Pool;

beforeAll(async () => {
  pool = await openTestPool();
});

beforeEach(async () => {
  await pool.query("truncate messaging.dead_letters, messaging.outbox");
});

function record(over: Partial<RawMessage> = {}): RawMessage {
  return {
    topic: "carriers.updates",
    partition: 0,
    offset: OFFSET,
    key: null,
    value: Buffer.from("garbage"),
    headers: {},
    messageId: newId(new Date()),
    timestamp: 1_000,
    ...over,
  };
}

async function park(raw: RawMessage, consumer = "carrier-adapter"): Promise<void> {
  await parkMessage({ pool, clock: systemClock, consumer }, raw, CAUSE);
}

/** How many are in the table, and how many are on their way to the topic of dead letters. */
async function parked(): Promise<number[]> {
  const [row] = await queryRows<{ letters: number; sent: number }>(pool, {
    text: `select (select count(*) from messaging.dead_letters) as letters,
      (select count(*) from messaging.outbox) as sent`,
  });
  return [row?.letters ?? -1, row?.sent ?? -1];
}

describe("a dead letter at an offset where an older one lay", () => {
  it("is dead-lettered again in a topic that was made again, whatever is in it", async () => {
    await park(record());
    await park(record({ timestamp: 2_000, value: Buffer.from("other garbage") }));
    await park(record({ timestamp: 3_000 }));
    await park(record({ timestamp: 3_000, value: Buffer.from("of the same instant") }));
    await park(record({ timestamp: 4_000, value: null }));
    expect(await parked()).toEqual([5, 5]);
  });

  it("stays one when the same record comes again, also to two at once", async () => {
    for (const raw of [record(), record({ value: null, timestamp: 2_000 })]) {
      await Promise.all([park(raw), park(raw), park(raw)]);
      await park(raw);
    }
    expect(await parked()).toEqual([2, 2]);
  });

  it("is each consumer's own", async () => {
    const raw = record();
    await park(raw, "event-log");
    await park(raw, "webhook-sender");
    expect(await parked()).toEqual([2, 2]);
  });
});
