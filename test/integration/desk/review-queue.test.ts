import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, textOf } from "../../support/http/call.ts";
import {
  openReviewDesk,
  type AddedOperator,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;
let bob: AddedOperator;
/** Open cases, the longest waiting first. */
let waiting: string[];

const idsOf = (entries: readonly Record<string, unknown>[]) =>
  entries.map((one) => String(one["order_id"]));

/** The part of the queue that is the test's. */
const own = (query: string): string => `/reviews?account_id=${desk.account}&${query}`;

async function listed(query: string, by: Operator = desk): Promise<string[]> {
  const answer = await by.desk("GET", own(`limit=250&${query}`));
  expect([answer.status, answer.body?.["errors"]]).toEqual([200, undefined]);
  return idsOf(dataOf(answer));
}

async function countsOf(query: string, by: Operator = desk): Promise<unknown> {
  return (await by.desk("GET", own(`limit=1&${query}`))).body?.["counts"];
}

/** The lengths of the lists that the counts are about. */
async function lengthsOf(query: string, by: Operator = desk) {
  const views = ["", "claimed_by=me", "claimed_by=none", "overdue=true"];
  const lists = await Promise.all(views.map((view) => listed(`${query}&${view}`, by)));
  const [all, mine, unclaimed, overdue] = lists.map((list) => list.length);
  return { all, mine, unclaimed, overdue };
}

const release = (orderId: string, by: Operator = desk) =>
  by.desk("POST", `/reviews/${orderId}/release`, {});

beforeAll(async () => {
  desk = await openReviewDesk();
  bob = await desk.addOperator("Bob Miller", "reviewer");
  waiting = [];
  for (let n = 0; n < 4; n += 1) waiting.push(await desk.newCase());
  await desk.api("PATCH", `/v2/porting_orders/${String(waiting[1])}`, {});
  await desk.database.query(
    "update orders.porting_orders set customer_reference = 'Büro 7', number_type = 'toll_free' where id = $1",
    [waiting[1]],
  );
  await desk.database.query(
    "update reviews.cases set due_at = now() - interval '1 hour' where order_id = $1",
    [waiting[2]],
  );
});

describe("the queue", () => {
  it("lists the open cases with what tells them apart, the longest waiting first", async () => {
    const cases = dataOf(await desk.desk("GET", own("limit=250")));
    expect(idsOf(cases)).toEqual(waiting);
    expect(cases[0]).toEqual({
      order_id: waiting[0],
      account: { id: desk.account, name: expect.any(String) },
      country_code: "US",
      number_type: "local",
      losing_carrier: "manual",
      customer_reference: "",
      numbers_count: 1,
      submitted_at: expect.any(String),
      due_at: expect.any(String),
      attempt: 1,
      changed_slugs: [],
      unanswered_comment_at: null,
      has_duplicate: false,
      claimed_by: null,
    });
  });

  it("shows since when a customer's comment has had no answer", async () => {
    const [, , , last = ""] = waiting;
    const sinceOf = async () => {
      const cases = dataOf(await desk.desk("GET", own("limit=250")));
      return cases.find((one) => one["order_id"] === last)?.["unanswered_comment_at"];
    };
    const write = async (body: string) =>
      textOf(await desk.api("POST", `/v2/porting_orders/${last}/comments`, { body }), "created_at");
    const first = await write("When will it be decided?");
    await write("Hello?");
    expect(await sinceOf()).toBe(first);
    await desk.desk("POST", `/orders/${last}/comments`, { body: "Today." });
    expect(await sinceOf()).toBeNull();
    const again = await write("Thank you.");
    expect(await sinceOf()).toBe(again);
  });

  it("has every filter, alone and together", async () => {
    const [first = "", second = "", third = ""] = waiting;
    expect(await listed("country_code=us")).toEqual(waiting);
    expect(await listed("country_code=GB")).toEqual([]);
    expect(await listed("number_type=toll_free")).toEqual([second]);
    expect(await listed("provider=manual")).toEqual(waiting);
    expect(await listed("provider=sandbox")).toEqual([]);
    const ofFirst = await desk.desk("GET", `/reviews?account_id=${first}`);
    expect(dataOf(ofFirst)).toEqual([]);
    expect(await listed("overdue=true")).toEqual([third]);
    expect(await listed("overdue=false")).toEqual(waiting.filter((id) => id !== third));
    expect(await listed(`due_before=${new Date().toISOString()}`)).toEqual([third]);
    expect(await listed("overdue=true&number_type=toll_free")).toEqual([]);
    for (const query of ["overdue=yes", "claimed_by=bob", "number_type=fax", "due_before=now"]) {
      expect((await desk.desk("GET", own(query))).status).toBe(400);
    }
  });

  it("is searched by number in any form, by its last digits, reference, order id and account", async () => {
    const [first = "", second = ""] = waiting;
    const { rows } = await desk.database.query<{ phone_number: string }>(
      "select phone_number from orders.order_numbers where order_id = $1",
      [first],
    );
    const number = rows[0]?.phone_number ?? "";
    const national = `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
    for (const q of [number, number.slice(1), national, number.slice(-4), `00${number.slice(1)}`]) {
      expect([q, await listed(`q=${encodeURIComponent(q)}`)]).toEqual([q, [first]]);
    }
    for (const q of ["büro", "BÜRO 7", second, second.toUpperCase()]) {
      expect(await listed(`q=${encodeURIComponent(q)}`)).toEqual([second]);
    }
    const { body: account } = await desk.desk("GET", `/accounts/${desk.account}`);
    const name = String(account?.["name"]).toUpperCase();
    expect(await listed(`q=${encodeURIComponent(name)}`)).toEqual(waiting);
    for (const q of ["%25", "_", "+19995550100", "no such"]) {
      expect(await listed(`q=${encodeURIComponent(q)}`)).toEqual([]);
    }
  });

  it("counts in every view what it lists there, with the other filters", async () => {
    const [first = "", , third = ""] = waiting;
    await desk.desk("POST", `/reviews/${first}/claim`, {});
    await bob.desk("POST", `/reviews/${third}/claim`, {});
    const whole = { all: 4, mine: 1, unclaimed: 2, overdue: 1 };
    for (const by of [desk, bob]) {
      expect(await lengthsOf("", by)).toEqual(whole);
      expect(await countsOf("", by)).toEqual(whole);
      expect(await countsOf("claimed_by=me&overdue=true", by)).toEqual(whole);
    }
    expect(await listed("claimed_by=me", bob)).toEqual([third]);
    for (const query of ["number_type=toll_free", "q=Büro", "country_code=GB", "provider=manual"]) {
      expect([query, await countsOf(query)]).toEqual([query, await lengthsOf(query)]);
    }
    await release(first);
    await release(third, bob);
    expect(await countsOf("")).toMatchObject({ mine: 0, unclaimed: 4 });
  });
});

describe("the next case", () => {
  const next = (by: Operator, filter: object = {}) =>
    by.desk("POST", "/reviews/next", { account_id: desk.account, ...filter });

  it("is the one that waits longest and is free, of those that match", async () => {
    const [first = "", second = "", third = ""] = waiting;
    const answer = await next(desk);
    expect([answer.status, answer.body?.["order_id"]]).toEqual([200, first]);
    expect(answer.body).toMatchObject({ claimed_by: { name: "First operator" }, state: "open" });
    expect((await next(bob, { overdue: true })).body?.["order_id"]).toBe(third);
    expect((await next(bob, { claimed_by: "none", q: "büro" })).body?.["order_id"]).toBe(second);
    const none = await next(desk, { number_type: "toll_free" });
    expect([none.status, none.body?.["code"]]).toEqual([404, "not_found"]);
    expect((await next(desk, { claimed_by: "me" })).status).toBe(404);
    expect((await next(desk, { overdue: "true" })).status).toBe(422);
    const audit = dataOf(await desk.desk("GET", `/audit?porting_order_id=${second}`));
    expect(audit.find((one) => one["action"] === "review.claimed")).toMatchObject({
      operator_name: bob.person.name,
      before: { claimed_by: null },
    });
    await Promise.all([release(first), release(second, bob), release(third, bob)]);
  });

  it("is never the same for two callers", async () => {
    const operators = [desk, bob, desk, bob, desk, bob];
    const answers = await Promise.all(operators.map((by) => next(by)));
    const claimed = answers.filter(({ status }) => status === 200);
    const ids = claimed.map((answer) => textOf(answer, "order_id"));
    expect(new Set(ids).size).toBe(ids.length);
    // A case that another call holds at that moment is passed over, so a call may find none too early.
    while ((await next(bob)).status === 200) ids.push("later");
    expect(ids).toHaveLength(waiting.length);
    const queue = dataOf(await desk.desk("GET", own("limit=250")));
    for (const answer of claimed) {
      const one = queue.find(({ order_id }) => order_id === answer.body?.["order_id"]);
      expect(one?.["claimed_by"]).toEqual(answer.body?.["claimed_by"]);
    }
  });
});
