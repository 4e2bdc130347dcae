import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import {
  findOrders,
  listAnyOrders,
  readSearchTerm,
  type DeskOrderFilter,
} from "../../../services/desk/orders/store/find-orders.ts";
import { idRange } from "../../../services/platform/db/id-range.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { fillDeskOrders } from "../../support/desk/fill-desk-orders.ts";
import { readPlan } from "../../support/stack/read-plan.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const FILLED = 12_000;
const PAGE = 50;
/** A page of one filter reads a page of each account at most; its cost does not grow with the orders. */
const MOST_ROWS = 6_000;
const LARGE = ["porting_orders", "order_numbers"];

let database: TestDatabase;
let pool: Pool;
let now: Date;

beforeAll(async () => {
  database = await createTestDatabase();
  await fillDeskOrders(database.url, FILLED);
  pool = openPoolAt(database.url, { role: "porting_desk" });
  now = new Date();
});

const firstPage = idRange({ direction: "desc", cursorId: null, fetch: PAGE + 1 }, {});
const q = (term: string) => ({ search: readSearchTerm(term) });

const FILTERS: Record<string, DeskOrderFilter> = {
  none: {},
  "a frequent status": { status: ["completed"] },
  "rare statuses": { status: ["rejection", "cancelled", "draft"] },
  "a status that no order has": { status: ["cancel_pending"] },
  "a rare provider": { provider: "manual" },
  "a provider that is not there": { provider: "nobody" },
  "a rare carrier": { losing_carrier: "Rare Bell" },
  "a carrier that is not there": { losing_carrier: "Nobody" },
  "a country without orders": { country_code: "AU" },
  "a frequent reference": { customer_reference: "same for all" },
  "a reference that is not there": { customer_reference: "PO-none" },
  "a number": { phone_number: "+12120000300" },
  "a number that is not there": { phone_number: "+442079460999" },
  "a batch that is not there": { batch_id: "0198c0de-0000-7000-8000-000000000001" },
  "an id that is not there": { id: "0198c0de-0000-7000-8000-000000000001" },
  attention: { attention: true },
  "attention of one status": { attention: true, status: ["completed"] },
  "no attention": { attention: false },
  "a date range": { foc_after: new Date(Date.now() + 9 * 86_400_000) },
  "dates that none has": { foc_after: new Date(Date.now() + 30 * 86_400_000) },
  "last digits": q("0300"),
  "last digits that none has": q("99999999"),
  "a reference in a search": q("po-7"),
  "a frequent reference in a search": q("Same for all"),
  "one account's name": q("desk 017"),
  "every account's name": q("Desk"),
  "nothing that there is": q("no such thing"),
  "a search with attention": { ...q("Desk 017"), attention: true },
  "a search with a status": { ...q("0300"), status: ["completed"] },
};

async function planOf(filter: DeskOrderFilter) {
  const { text, values } = findOrders({ range: firstPage, filter, now });
  const [row] = await queryRows(pool, { text: `explain (analyze, format json) ${text}`, values });
  return readPlan(row, "");
}

/** The ids of the orders that fit, by a statement that has nothing in common with the list's. */
async function idsWhere(condition: string, limit = PAGE + 1): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(pool, {
    text: `select o.id from orders.porting_orders o join accounts.accounts a on a.id = o.account_id
      where ${condition} order by o.id desc limit ${limit}`,
  });
  return rows.map(({ id }) => id);
}

const idsOf = async (filter: DeskOrderFilter) =>
  (await listAnyOrders(pool, { range: firstPage, filter, now })).map(({ id }) => id);

const ENDING = (digits: string) =>
  `exists (select from orders.order_numbers n where n.order_id = o.id and n.phone_number like '%${digits}')`;

describe("the desk's list of orders", () => {
  it.each(Object.entries(FILTERS))("reads few rows for %s", async (_, filter) => {
    const { rowsRead, readWhole } = await planOf(filter);
    expect(rowsRead).toBeLessThanOrEqual(MOST_ROWS);
    expect(readWhole.filter((name) => LARGE.includes(name))).toEqual([]);
  });

  it("finds what each search means", async () => {
    const found: [string, string][] = [
      ["0300", ENDING("0300")],
      ["+1 (212) 000-0300", ENDING("2120000300")],
      ["001 212 000 0300", ENDING("2120000300")],
      ["PO-7", "o.customer_reference = 'PO-7'"],
      ["po-7", "o.customer_reference = 'PO-7'"],
      ["desk 017", "a.name = 'Desk 017'"],
      ["300", "false"],
    ];
    for (const [term, condition] of found) {
      expect({ term, ids: await idsOf(q(term)) }).toEqual({ term, ids: await idsWhere(condition) });
    }
    const [order] = await idsWhere("true", 1);
    expect(await idsOf(q(order ?? ""))).toEqual([order]);
    const [account] = await queryRows<{ id: string }>(pool, {
      text: "select id from accounts.accounts where name = 'Desk 005'",
    });
    expect(await idsOf(q(account?.id.toUpperCase() ?? ""))).toEqual(
      await idsWhere("a.name = 'Desk 005'"),
    );
  });

  it("finds a carrier by its name in any case", async () => {
    const expected = await idsWhere("o.losing_carrier = 'Rare Bell'");
    expect(expected.length).toBeGreaterThan(0);
    expect(await idsOf({ losing_carrier: "rare BELL" })).toEqual(expected);
  });

  it("finds what the desk has to look at: its alerts, dead letters, overdue reviews", async () => {
    const look = `(o.attention is not null
      or exists (select from messaging.dead_letters d where encode(d.key, 'escape') = o.id::text and d.state = 'parked')
      or exists (select from reviews.cases c where c.order_id = o.id and c.state = 'open' and c.due_at < now()))`;
    expect(await idsOf({ attention: true })).toEqual(await idsWhere(look));
    expect(await idsOf({ attention: false })).toEqual(await idsWhere(`not ${look}`));
    const cancelled = { attention: true, status: ["cancelled"] } as const;
    expect(await idsOf(cancelled)).toEqual(await idsWhere(`${look} and o.status = 'cancelled'`));
    const oldest = idRange({ direction: "asc", cursorId: null, fetch: 20 }, {});
    const first = await listAnyOrders(pool, { range: oldest, filter: { attention: true }, now });
    expect(first).toHaveLength(20);
  });

  it("shows the first number of each order and how many there are", async () => {
    const [order] = await listAnyOrders(pool, { range: firstPage, filter: q("0300"), now });
    expect(order?.numbers_count).toBe(3);
    expect(order?.numbers).toHaveLength(1);
  });
});
