import { beforeAll, describe, expect, it } from "@jest/globals";
import { statisticsAnswer } from "../../../services/desk/statistics/answers.ts";
import { newId } from "../../../services/platform/ids.ts";
import { statisticsRoutes } from "../../../services/desk/statistics/routes.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { call } from "../../support/http/call.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { startDeskRoutes, type AccountService } from "../../support/product/account-services.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const DAY = "2026-03-02";
const HOUR_S = 3_600;

/** A case of the day: submitted at eight, decided so many hours later. */
interface PastCase {
  readonly order: string;
  readonly attempt?: number;
  readonly hours: number;
  readonly dueHours?: number;
  readonly rejects?: readonly { readonly slug: string; readonly code: string | null }[];
}

let desk: AccountService;
let token: string;

const at = (hours: number): Date =>
  new Date(Date.parse(`${DAY}T08:00:00.000Z`) + hours * HOUR_S * 1_000);

const orderIds = new Map<string, string>();

function orderId(name: string): string {
  const id = orderIds.get(name) ?? newId(at(0));
  orderIds.set(name, id);
  return id;
}

async function storeCase(operatorId: string, one: PastCase): Promise<void> {
  const { order, attempt = 1, hours, dueHours = 8, rejects = [] } = one;
  const verdicts = JSON.stringify(
    rejects.length === 0
      ? [{ slug: "invoice", decision: "approve", reason: null }]
      : rejects.map((reject) => ({ ...reject, decision: "reject", reason: "It is wrong." })),
  );
  await desk.pool.query(
    `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at, decisions, decided_at,
        decided_by) values ($1, $2, $1, 'decided', $3, $4, $5, $6, $7)`,
    [orderId(order), attempt, at(0), at(dueHours), verdicts, at(hours), operatorId],
  );
  const id = newId(at(hours));
  const confirms = rejects.length === 0;
  await desk.pool.query(
    `insert into reviews.decisions (id, order_id, attempt, operator_id, decisions, confirm, decided_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, orderId(order), attempt, operatorId, verdicts, confirms, at(hours)],
  );
}

async function statistics(query = `from=${DAY}&to=${DAY}`) {
  const url = `${desk.url}/desk/v1/statistics?${query}`;
  const { status, body } = await call(url, { key: token });
  expect(status).toBe(200);
  return statisticsAnswer.parse(body);
}

const PIN = { slug: "pin_passcode", code: "pin_invalid" };
const OTHER = { slug: "entity_name", code: null };

let me: { readonly id: string; readonly name: string };

beforeAll(async () => {
  const { url } = await createTestDatabase();
  token = (await ensureFirstAccess(url, null)).desk_token;
  const bus = { clock: systemClock };
  desk = await startDeskRoutes(url, (pool) =>
    statisticsRoutes({ bus, reads: { run: (read) => read(pool) } }),
  );
  const { rows } = await desk.pool.query<typeof me>("select id, name from accounts.operators");
  [me = { id: "", name: "" }] = rows;
  await storeCase(me.id, { order: "a", hours: 1 });
  await storeCase(me.id, { order: "b", hours: 2, rejects: [PIN, OTHER] });
  await storeCase(me.id, { order: "b", attempt: 2, hours: 3, rejects: [PIN] });
  await storeCase(me.id, { order: "c", hours: 10 });
  // The day after.
  await storeCase(me.id, { order: "d", hours: 30, rejects: [PIN] });
});

describe("the desk's statistics", () => {
  it("count cases by operator, with the median", async () => {
    expect((await statistics()).operators).toEqual([
      { operator: me, decided: 4, confirmed: 2, rejected: 2, median_seconds: 2.5 * HOUR_S },
    ]);
  });

  it("have the time to the first decision, as median and for nine of ten", async () => {
    const { time_to_first_decision: first } = await statistics();
    expect([first.cases, first.median_seconds]).toEqual([4, 2.5 * HOUR_S]);
    expect(first.p90_seconds).toBeCloseTo(7.9 * HOUR_S, 5);
  });

  it("have what was decided late, and what is open and overdue", async () => {
    const counted = { open: 0, decided_late: 1, decided: 4 };
    expect((await statistics()).overdue).toEqual(counted);
    const insert = `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at)
      values ($1, 1, $1, 'open', $2, $3)`;
    await desk.pool.query(insert, [newId(at(0)), at(0), at(8)]);
    expect((await statistics()).overdue).toEqual({ ...counted, open: 1 });
  });

  it("count rejections by slug and code", async () => {
    expect((await statistics()).rejections).toEqual([
      { ...PIN, count: 2 },
      { ...OTHER, count: 1 },
    ]);
  });

  it("have the share of orders in which the first submission was right", async () => {
    const { first_time_right: right } = await statistics();
    expect([right.orders, right.right]).toEqual([3, 2]);
    expect(right.share).toBeCloseTo(2 / 3, 10);
  });

  it("have each day of a month, and each week of more, also as a file", async () => {
    const days = (await statistics("from=2026-03-01&to=2026-03-31")).trend;
    expect(days.map(({ decided }) => decided)).toEqual([0, 4, 1, ...Array<number>(28).fill(0)]);
    expect(days[1]).toEqual({
      from: "2026-03-02T00:00:00.000Z",
      to: "2026-03-03T00:00:00.000Z",
      ...{ decided: 4, confirmed: 2, rejected: 2, decided_late: 1 },
      median_seconds: 2.5 * HOUR_S,
    });
    const weeks = (await statistics("from=2026-02-01&to=2026-03-31")).trend;
    expect(weeks.map(({ decided }) => decided)).toEqual([0, 0, 0, 0, 5, 0, 0, 0, 0]);
    expect(weeks.at(-1)?.to).toBe("2026-04-01T00:00:00.000Z");
    const url = `${desk.url}/desk/v1/statistics/export?from=2026-03-02&to=2026-03-03`;
    const file = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const [head, ...rows] = (await file.text()).trimEnd().split("\r\n");
    expect(head).toBe("from,to,decided,confirmed,rejected,decided_late,median_seconds");
    expect(rows.map((row) => row.split(",")[2])).toEqual(["4", "1"]);
  });

  it("count the orders created in the range by status", async () => {
    await storeOrder(desk.pool);
    const { orders_by_status: now } = await statistics("");
    expect(now.filter(({ count }) => count > 0)).toEqual([{ status: "draft", count: 1 }]);
    const { orders_by_status: then } = await statistics();
    expect(then.every(({ count }) => count === 0)).toBe(true);
  });

  it("are empty, not wrong, where nothing happened", async () => {
    const empty = await statistics("from=2020-01-01&to=2020-01-31");
    expect(empty).toMatchObject({
      from: "2020-01-01T00:00:00.000Z",
      to: "2020-02-01T00:00:00.000Z",
      operators: [],
      time_to_first_decision: { cases: 0, median_seconds: null, p90_seconds: null },
      rejections: [],
      first_time_right: { orders: 0, right: 0, share: null },
    });
  });

  it("refuse more than 366 days, and what is no time", async () => {
    for (const query of [
      "from=2020-01-01&to=2022-01-01",
      "from=soon",
      "to=2026-01-01&from=2026-02-01",
    ]) {
      const url = `${desk.url}/desk/v1/statistics?${query}`;
      const { status, body } = await call(url, { key: token });
      expect([status, body?.["code"]]).toEqual([400, "invalid_parameter"]);
    }
  });
});
