import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { listEvents } from "../../../services/domain/event/store/feed.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import {
  toStorable,
  type StorableEvent,
} from "../../../services/domain/event/rules/storable-event.ts";
import { newId } from "../../../services/platform/ids.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const MINUTE_MS = 60_000;
const START = Date.now() - 60 * MINUTE_MS;
const accountId = newId(new Date());

/** Creation times of the feed's events, in minutes: in order, slightly late, and very late. */
const MINUTES = [0, 1, 2, 1.5, 3, 10, 9.9, 2.5, 10, 11, 0.5, 30, 12, 29.5, 31];
const TIMES = [-1, 0, 0.5, 1, 1.6, 2.5, 3, 9.95, 10, 11.5, 12, 29.9, 30.5, 31, 32];

let database: TestDatabase;
let pool: pg.Pool;

const feed: readonly StorableEvent[] = MINUTES.map((minutes, n) => {
  const at = new Date(START + minutes * MINUTE_MS);
  const type = n % 3 === 0 ? "loa.signed" : "porting_order.created";
  return toStorable(buildEvent(type, { id: newId(at), account_id: accountId, created_at: at }));
});

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 2 });
  for (const [n, from] of [0, 4, 5, 11].entries()) {
    const batch = feed.slice(from, [4, 5, 11, feed.length][n]);
    const position = { topic: "t", partition: 0, nextOffset: from + batch.length };
    await storeEvents(pool, batch, { consumer: "event-log", positions: [position] });
  }
});

const timeOf = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);

describe("a list by dates", () => {
  it.each(["asc", "desc"] as const)(
    "has exactly the events of any span, including late ones, in feed order: %s",
    async (direction) => {
      const comparison = direction === "asc" ? ">" : "<";
      const scan = { direction, comparison, cursorId: null, fetch: 100 } as const;
      for (const after of [undefined, ...TIMES.map(timeOf)]) {
        for (const before of [undefined, ...TIMES.map(timeOf)]) {
          for (const type of [undefined, ["loa.signed", "call.missed"] as const]) {
            const filter = { created_after: after, created_before: before, type };
            const found = await listEvents(pool, { accountId, scan, filter });
            const expected = feed
              .filter(({ createdAt }) => after === undefined || createdAt >= after)
              .filter(({ createdAt }) => before === undefined || createdAt < before)
              .filter((event) => type === undefined || event.type === "loa.signed")
              .map(({ id }) => id);
            if (direction === "desc") expected.reverse();
            expect(found?.rows.map(({ id }) => id)).toEqual(expected);
          }
        }
      }
    },
  );
});
