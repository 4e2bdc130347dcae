import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { systemClock } from "../../../services/platform/clock.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { deadLetterMessages } from "../../../services/platform/kafka/dead-letters.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

let pool: Pool;

beforeAll(async () => {
  pool = await openTestPool();
});

/** Postgres accepts neither NUL nor half a surrogate pair; such a message blocked its partition. */
describe("a dead letter with characters that Postgres does not accept", () => {
  it("is stored with replacement characters", async () => {
    const raw = {
      topic: "carriers.updates",
      partition: 0,
      offset: 7,
      key: null,
      value: Buffer.from("garbage"),
      headers: { "na\0me": "NUL \0 here" },
      headerCount: 1,
      messageId: newId(new Date()),
      timestamp: 1_000,
    };
    const cause = { code: "rule_broken", detail: "It holds \0 and \ud800." };
    const options = { pool, clock: systemClock, consumer: "carrier-adapter" };
    await deadLetterMessages(options, [{ raw, cause }]);
    const [letter] = await queryRows(pool, {
      text: "select headers, value, error_detail from messaging.dead_letters",
    });
    expect(letter).toEqual({
      headers: { "na\ufffdme": "NUL \ufffd here" },
      value: raw.value,
      error_detail: "It holds \ufffd and \ufffd.",
    });
  });
});
