import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import {
  countDeliveries,
  listDeliveries,
  withEntry,
  withoutBodies,
  type DeliveryFilter,
} from "../../../services/domain/webhook/store/deliveries.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
} from "../../../services/domain/webhook/rules/delivery.ts";
import { EVENT_TYPES } from "../../../services/messages/events.ts";
import { countedRange } from "../../../services/platform/db/count-rows.ts";
import { idRange, type CreatedWithin } from "../../../services/platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { fillDeliveries } from "../../support/webhooks/fill-deliveries.ts";
import { readPlan } from "../../support/stack/read-plan.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { everyDelivery } from "../../support/webhooks/webhook-stack.ts";

const DAY_MS = 86_400_000;
/** A multiple of what a month gets. */
const FILLED = 1_200;
const FETCH = 37;

let database: TestDatabase;
let pool: Pool;
let accountId: string;
/** Deliveries, newest first. */
let all: Delivery[];

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureFirstAccess(database.url, null);
  await fillDeliveries(database.url, FILLED);
  pool = openPoolAt(database.url, { role: "porting_api" });
  const [account] = await queryRows<{ id: string }>(pool, {
    text: "select id from accounts.accounts limit 1",
  });
  accountId = account?.id ?? "";
  all = (await everyDelivery(pool, accountId)).reverse();
});

/** Every page from one end to the other, as a client reads them. */
async function walk(
  filter: DeliveryFilter,
  direction: "asc" | "desc" = "desc",
  created: CreatedWithin = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursorId: string | null = null; ;) {
    const range = idRange({ direction, cursorId, fetch: FETCH }, created);
    const { rows, hasMore } = await listDeliveries(pool, { accountId, range, filter });
    ids.push(...rows.map(({ id }) => id));
    cursorId = ids.at(-1) ?? null;
    if (!hasMore) return ids;
  }
}

function expected({
  status,
  event_type: type,
  webhook_endpoint_id: endpoint,
  porting_order_id: order,
  event_id: event,
}: DeliveryFilter): string[] {
  const fitting = all.filter(
    (one) =>
      (status?.includes(one.status) ?? true) &&
      (type?.includes(one.event_type) ?? true) &&
      (endpoint === undefined || one.webhook_endpoint_id === endpoint) &&
      (order === undefined || one.porting_order_id === order) &&
      (event === undefined || one.event_id === event),
  );
  return fitting.map(({ id }) => id);
}

function someDelivery(): Required<Pick<DeliveryFilter, "event_id">> & DeliveryFilter {
  const one = all[321];
  return {
    event_id: one?.event_id ?? "",
    webhook_endpoint_id: one?.webhook_endpoint_id ?? "",
    porting_order_id: one?.porting_order_id ?? "",
  };
}

describe("the list of deliveries", () => {
  it("has all deliveries of an account, and none of another", async () => {
    expect(all).toHaveLength(FILLED);
    expect(await walk({})).toEqual(all.map(({ id }) => id));
    const range = idRange({ direction: "desc", cursorId: null, fetch: FETCH }, {});
    const other = { accountId: newId(new Date()), range, filter: {} };
    expect((await listDeliveries(pool, other)).rows).toEqual([]);
  });

  it("matches every combination of filters, in pages without gaps or repeats", async () => {
    const { webhook_endpoint_id, porting_order_id, event_id } = someDelivery();
    const statuses: DeliveryFilter[] = [
      {},
      { status: ["failed"] },
      { status: ["succeeded", "failed", "failed"] },
      { status: DELIVERY_STATUSES },
    ];
    const types: DeliveryFilter[] = [
      {},
      { event_type: ["loa.signed"] },
      { event_type: ["loa.signed", "call.completed", "call.missed"] },
      { event_type: EVENT_TYPES },
    ];
    const others: DeliveryFilter[] = [
      {},
      { webhook_endpoint_id },
      { porting_order_id },
      { event_id },
      { webhook_endpoint_id, event_id },
    ];
    for (const status of statuses) {
      for (const type of types) {
        for (const other of others) {
          const filter = { ...status, ...type, ...other };
          const wanted = expected(filter);
          const found = await walk(filter);
          expect({ filter, found }).toEqual({ filter, found: wanted });
        }
      }
    }
  });

  it("pages in both directions, also over several values", async () => {
    for (const filter of [{}, { status: ["failed", "succeeded"] }] satisfies DeliveryFilter[]) {
      expect(await walk(filter, "asc")).toEqual(expected(filter).toReversed());
    }
  });

  it("respects the dates", async () => {
    const created_after = new Date(Date.now() - 200 * DAY_MS);
    const created_before = new Date(Date.now() - 80 * DAY_MS);
    const within = all.filter(({ created_at: at }) => at >= created_after && at < created_before);
    expect(within.length).toBeGreaterThan(100);
    const found = await walk({}, "desc", { created_after, created_before });
    expect(found).toEqual(within.map(({ id }) => id));
  });
});

describe("deliveries by what they failed with", () => {
  const failed = () => all.filter(({ status }) => status === "failed");

  it("are those whose last attempt did, of one account and of all, and are counted", async () => {
    const some = failed().slice(0, 5);
    const [refused, late] = [some.slice(0, 3), some.slice(3)];
    expect(late).toHaveLength(2);
    await failWith(refused, { response_code: 503, error: { code: "http_error" } });
    await failWith(late, { response_code: null, error: { code: "timeout_response" } });
    const idsOf = (some: readonly Delivery[]) => some.map(({ id }) => id);
    expect(await walk({ failure_code: "503" })).toEqual(idsOf(refused));
    expect(await walk({ failure_code: "503" }, "asc")).toEqual(idsOf(refused.toReversed()));
    expect(await walk({ failure_code: "timeout_response", status: ["failed"] })).toEqual(
      idsOf(late),
    );
    expect(await walk({ failure_code: "503", status: ["skipped", "succeeded"] })).toEqual([]);
    const at = late[0]?.webhook_endpoint_id ?? "";
    expect(await walk({ failure_code: "timeout_response", webhook_endpoint_id: at })).toEqual(
      idsOf(late.filter((one) => one.webhook_endpoint_id === at)),
    );
    // Each succeeded at its one attempt, which had 200.
    expect(await walk({ failure_code: "200", status: ["succeeded"] })).toEqual([]);
    const filter = { failure_code: "503" };
    const list = { accountId: null, range: countedRange({}), filter };
    expect(await countDeliveries(pool, list)).toEqual({ count: 3, is_more: false });
    const range = idRange({ direction: "desc", cursorId: null, fetch: FETCH }, {});
    const { rows } = await listDeliveries(pool, { accountId: null, range, filter });
    expect(idsOf(rows)).toEqual(idsOf(refused));
  });

  it("are read alone, however many others there are", async () => {
    for (const account of [accountId, null]) {
      const rows: unknown[] = [];
      const explaining: Queryable = {
        query: async (config) => {
          const text = `explain (analyze, format json) ${config.text}`;
          const result = await pool.query<Record<string, unknown>>({ ...config, text });
          rows.push(...result.rows);
          return { ...result, rows: [] };
        },
      };
      const range = idRange({ direction: "desc", cursorId: null, fetch: FETCH }, {});
      const filter = { failure_code: "503" };
      await listDeliveries(explaining, { accountId: account, range, filter });
      const plan = readPlan(rows[0], "deliveries_");
      expect([plan.rowsRead, plan.readWhole]).toEqual([3, []]);
    }
  });
});

function failWith(some: readonly Delivery[], entry: object) {
  return queryRows(pool, {
    text: `update webhooks.deliveries set attempt_log = attempt_log || $2::jsonb where id = any ($1::uuid[])`,
    values: [some.map(({ id }) => id), JSON.stringify(entry)],
  });
}

describe("the log of a delivery's attempts", () => {
  it("has every attempt, and the bodies of the first and the last ten", async () => {
    let log: Record<string, unknown>[] = [];
    for (let attempt = 1; attempt <= 14; attempt += 1) {
      const entry = { attempt, response_body: `answer ${attempt}` };
      const [row] = await queryRows<{ log: typeof log }>(pool, {
        text: `select ${withEntry("l.log", "$2::jsonb")} as log from (select $1::jsonb as log) l`,
        values: [JSON.stringify(log), JSON.stringify(entry)],
      });
      log = row?.log ?? [];
    }
    expect(log.map((one) => one["attempt"])).toEqual(Array.from({ length: 14 }, (_, n) => n + 1));
    const without = log.filter((one) => one["body_omitted"] === true);
    expect(without.map((one) => one["attempt"])).toEqual([2, 3, 4]);
    expect(without.every((one) => one["response_body"] === null)).toBe(true);
    const [listed] = await queryRows<{ log: typeof log }>(pool, {
      text: `select ${withoutBodies("l.log")} as log from (select $1::jsonb as log) l`,
      values: [JSON.stringify(log)],
    });
    expect(listed?.log).toEqual(
      log.map((one) => ({ ...one, response_body: null, body_omitted: true })),
    );
  });
});
