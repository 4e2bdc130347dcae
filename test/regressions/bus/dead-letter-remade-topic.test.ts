import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { systemClock } from "../../../services/platform/clock.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { deadLetterMessages } from "../../../services/platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";
import { buildRawMessage } from "../../support/stack/raw-message-factory.ts";

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
  return buildRawMessage({
    topic: "carriers.updates",
    offset: OFFSET,
    value: Buffer.from("garbage"),
    messageId: newId(new Date()),
    timestamp: 1_000,
    ...over,
  });
}

async function deadLetter(raw: RawMessage, consumer = "carrier-adapter"): Promise<void> {
  await deadLetterMessages({ pool, clock: systemClock, consumer }, [{ raw, cause: CAUSE }]);
}

/** The numbers of dead letters in the table and of those still to be sent to the topic of dead letters. */
async function letters(): Promise<number[]> {
  const [row] = await queryRows<{ letters: number; sent: number }>(pool, {
    text: `select (select count(*) from messaging.dead_letters) as letters,
      (select count(*) from messaging.outbox) as sent`,
  });
  return [row?.letters ?? -1, row?.sent ?? -1];
}

describe("a dead letter at the offset of an older one", () => {
  it("is a new one in a recreated topic, whatever its content", async () => {
    await deadLetter(record());
    await deadLetter(record({ timestamp: 2_000, value: Buffer.from("other garbage") }));
    await deadLetter(record({ timestamp: 3_000 }));
    await deadLetter(record({ timestamp: 3_000, value: Buffer.from("of the same instant") }));
    await deadLetter(record({ timestamp: 4_000, value: null }));
    expect(await letters()).toEqual([5, 5]);
  });

  it("stays one when the same record arrives again, even several times at once", async () => {
    for (const raw of [record(), record({ value: null, timestamp: 2_000 })]) {
      await Promise.all([deadLetter(raw), deadLetter(raw), deadLetter(raw)]);
      await deadLetter(raw);
    }
    expect(await letters()).toEqual([2, 2]);
  });

  it("is separate for each consumer", async () => {
    const raw = record();
    await deadLetter(raw, "event-log");
    await deadLetter(raw, "webhook-sender");
    expect(await letters()).toEqual([2, 2]);
  });
});
