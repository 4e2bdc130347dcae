import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { parkMessage } from "../../services/platform/kafka/dead-letters.ts";
import { toRawMessage } from "../../services/platform/kafka/raw-message.ts";
import { createLogger } from "../../services/platform/logger.ts";
import type { TestDatabase } from "../support/test-stack.ts";
import { createTestDatabase } from "../support/test-stack.ts";

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  const log = createLogger("t", "silent");
  pool = createPool({ url: database.url, service: "test", size: 1, log });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A header that is a number in 8 bytes holds NULs, which jsonb takes none of: its partition stood still for ever. */
it("a message with a binary header is parked like any other", async () => {
  const raw = toRawMessage("carriers.updates", 0, {
    key: null,
    value: Buffer.from("garbage"),
    timestamp: "1000",
    attributes: 0,
    offset: "7",
    headers: { sent: Buffer.from([0, 0, 0, 0, 0, 1, 2, 255]), "\0": "a\0b" },
  });
  const options = { pool, clock: systemClock, consumer: "carrier-adapter" };
  await parkMessage(options, raw, { code: "undecodable", detail: "no" });
  const { rows } = await pool.query("select kafka_offset from messaging.dead_letters");
  expect(rows).toHaveLength(1);
});
