import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { queryRows } from "../../services/platform/db/transaction.ts";
import { newId } from "../../services/platform/ids.ts";
import { parkMessage } from "../../services/platform/kafka/dead-letters.ts";
import { createLogger } from "../../services/platform/logger.ts";
import type { TestDatabase } from "../support/test-stack.ts";
import { createTestDatabase } from "../support/test-stack.ts";

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.url,
    service: "test",
    size: 2,
    log: createLogger("test", "silent"),
  });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Postgres takes neither NUL nor half a surrogate pair: such a message was never parked, and held its partition for ever. */
describe("a dead letter with characters that Postgres does not take", () => {
  it("is parked, with others in their place", async () => {
    const raw = {
      topic: "carriers.updates",
      partition: 0,
      offset: 7,
      key: null,
      value: Buffer.from("garbage"),
      headers: { "na\0me": "NUL \0 here" },
      messageId: newId(new Date()),
      timestamp: 1_000,
    };
    const cause = { code: "rule_broken", detail: "It says \0 and \ud800." };
    await parkMessage({ pool, clock: systemClock, consumer: "carrier-adapter" }, raw, cause);
    const [letter] = await queryRows(pool, {
      text: "select headers, value, error_detail from messaging.dead_letters",
    });
    expect(letter).toEqual({
      headers: { "na\ufffdme": "NUL \ufffd here" },
      value: raw.value,
      error_detail: "It says \ufffd and \ufffd.",
    });
  });
});
