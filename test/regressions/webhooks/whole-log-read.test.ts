import { beforeAll, describe, expect, it } from "@jest/globals";
import type { PoolClient } from "pg";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { newId } from "../../../services/platform/ids.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const EVENTS = 1_000;

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/** How many entries of the log and its indexes the call reads. */
async function readBy(client: PoolClient, ids: readonly string[]): Promise<number> {
  await client.query("begin");
  await client.query(
    `select from events.bodies_of($1::uuid[], array(select messaging.time_of(u.id) from unnest($1::uuid[]) u (id)))`,
    [ids],
  );
  const { rows } = await client.query<{ read: number }>(
    `select sum(pg_stat_get_xact_tuples_returned(r.oid))::integer as read
      from pg_inherits h
      left join pg_index x on x.indrelid = h.inhrelid
      cross join lateral (values (h.inhrelid), (x.indexrelid)) r (oid)
      where h.inhparent = 'events.log'::regclass`,
  );
  await client.query("rollback");
  return rows[0]?.read ?? 0;
}

/** Planned while the log was small, a join read all of it for every batch of events that event-log had stored first. */
describe("the bodies of a batch's events", () => {
  it("are looked up one by one, also where the log was small when that was planned", async () => {
    const client = await stack.pool.connect();
    try {
      const account = await stack.newAccount();
      const store = (count: number) => {
        const events = Array.from({ length: count }, () => toStorable(freshEvent(account)));
        return storeEvents(stack.pool, events, { consumer: "event-log", positions: [] });
      };
      await store(20);
      await client.query("analyze events.log");
      const ids = Array.from({ length: 30 }, () => newId(new Date()));
      for (let n = 0; n < 6; n += 1) await readBy(client, ids);
      await store(EVENTS);
      expect(await readBy(client, ids)).toBeLessThanOrEqual(2 * ids.length);
    } finally {
      client.release();
    }
  });
});
