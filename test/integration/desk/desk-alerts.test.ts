import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, outcomeOf, textOf } from "../../support/http/call.ts";
import {
  openReviewDesk,
  type AddedOperator,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;
/** Another account of the same product. */
let other: ReviewDesk;
let lead: AddedOperator;
let bob: AddedOperator;

beforeAll(async () => {
  desk = await openReviewDesk();
  other = await openReviewDesk();
  lead = await desk.addOperator("Lea Lead", "lead");
  bob = await desk.addOperator("Bob Miller", "reviewer");
});

interface Alert {
  readonly kind: string;
  readonly order_id: string;
}

async function alertsOf(by: Operator, orderId: string): Promise<string[]> {
  const { status, body } = await by.desk("GET", "/alerts");
  expect(status).toBe(200);
  const all = body?.["alerts"] as Alert[];
  return all.filter(({ order_id: id }) => id === orderId).map(({ kind }) => kind);
}

const write = async (orderId: string, body: string) =>
  textOf(await desk.api("POST", `/v2/porting_orders/${orderId}/comments`, { body }), "id");

async function attentionOf(orderId: string): Promise<unknown> {
  const [found] = dataOf(await desk.desk("GET", `/orders?id=${orderId}`));
  const listed = dataOf(await desk.desk("GET", `/orders?id=${orderId}&attention=true`));
  const kind = (found?.["attention"] as { kind: string } | null)?.kind ?? null;
  expect(listed).toHaveLength(kind === null ? 0 : 1);
  return kind;
}

describe("a customer's comment", () => {
  it("concerns who has the case, and needs attention until it is answered", async () => {
    const orderId = await desk.newCase();
    expect(await attentionOf(orderId)).toBeNull();
    await write(orderId, "When will it be decided?");
    expect(await attentionOf(orderId)).toBe("comment");
    expect(await alertsOf(bob, orderId)).toEqual([]);
    await bob.desk("POST", `/reviews/${orderId}/claim`, {});
    expect(await alertsOf(bob, orderId)).toEqual(["comment"]);
    await bob.desk("POST", `/orders/${orderId}/comments`, { body: "Today." });
    expect(await alertsOf(bob, orderId)).toEqual([]);
    expect(await attentionOf(orderId)).toBeNull();
  });

  it("is called seen up to the one that was read, and a later one still waits", async () => {
    const orderId = await desk.newCase();
    const seen = async (comment_id: string) =>
      bob.desk("POST", `/orders/${orderId}/comments/seen`, { comment_id });
    const first = await write(orderId, "Thank you.");
    const second = await write(orderId, "One thing more:");
    expect((await seen(first)).status).toBe(204);
    expect(await attentionOf(orderId)).toBe("comment");
    expect((await seen(second)).status).toBe(204);
    expect(await attentionOf(orderId)).toBeNull();
    const path = `/audit?porting_order_id=${orderId}&action=order.comments_seen`;
    expect(dataOf(await desk.desk("GET", path))).toHaveLength(1);
  });
});

describe("an assigned case", () => {
  it("is announced until its colleague opens it, and does not lapse before", async () => {
    const orderId = await desk.newCase();
    const assigned = await lead.desk("POST", `/reviews/${orderId}/assign`, {
      operator_id: bob.person.id,
    });
    expect(assigned.body).toMatchObject({ handover: { seen_at: null } });
    const hours = (text: string) => (Date.parse(text) - Date.now()) / 3_600_000;
    expect(hours(textOf(assigned, "claimed_until"))).toBeGreaterThan(23);
    expect(await alertsOf(bob, orderId)).toEqual(["assigned"]);
    const claimed = await bob.desk("POST", `/reviews/${orderId}/claim`, {});
    expect(claimed.body).toMatchObject({ handover: { seen_at: expect.any(String) } });
    expect(hours(textOf(claimed, "claimed_until"))).toBeLessThan(1);
    expect(await alertsOf(bob, orderId)).toEqual([]);
  });
});

describe("a number in live orders of two accounts", () => {
  it("is named in the case, and marked in the queue and among the orders", async () => {
    const mine = await desk.newCase();
    const theirs = await other.newCase();
    expect((await desk.desk("GET", `/reviews/${mine}`)).body?.["duplicates"]).toEqual([]);
    const { rows } = await desk.database.query<{ phone_number: string }>(
      `update orders.order_numbers set phone_number =
        (select phone_number from orders.order_numbers where order_id = $1)
        where order_id = $2 returning phone_number`,
      [mine, theirs],
    );
    const number = rows[0]?.phone_number;
    const account = { id: other.account, name: expect.any(String) };
    expect((await desk.desk("GET", `/reviews/${mine}`)).body?.["duplicates"]).toEqual([
      {
        order_id: theirs,
        account,
        status: "in_review",
        phone_number: number,
        count: 1,
        created_at: expect.any(String),
      },
    ]);
    const queue = dataOf(await desk.desk("GET", `/reviews?account_id=${desk.account}&limit=250`));
    expect(queue.find((one) => one["order_id"] === mine)).toMatchObject({ has_duplicate: true });
    expect(await attentionOf(mine)).toBe("duplicate");
    await bob.desk("POST", `/reviews/${mine}/claim`, {});
    expect(await alertsOf(bob, mine)).toEqual(["duplicate"]);
    await other.api("POST", `/v2/porting_orders/${theirs}/cancel`, {});
    expect(await attentionOf(mine)).toBeNull();
  });
});

describe("an operator's texts for rejections", () => {
  it("are saved once, are the operator's alone, and are removed", async () => {
    const body = { slug: "loa", code: "document_unsigned", text: "Please sign page 2, too." };
    const saved = await bob.desk("POST", "/rejection_texts", body);
    expect(saved).toMatchObject({ status: 201, body });
    const again = await bob.desk("POST", "/rejection_texts", body);
    expect(again.body?.["id"]).toBe(saved.body?.["id"]);
    expect(dataOf(await bob.desk("GET", "/rejection_texts"))).toMatchObject([body]);
    expect(dataOf(await lead.desk("GET", "/rejection_texts"))).toEqual([]);
    const path = `/rejection_texts/${textOf(saved, "id")}`;
    expect(outcomeOf(await lead.desk("DELETE", path))).toBe("404 not_found");
    expect((await bob.desk("DELETE", path)).status).toBe(204);
    expect(dataOf(await bob.desk("GET", "/rejection_texts"))).toEqual([]);
  });
});
