import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { openReviewDesk, type ReviewDesk } from "../../support/orders/review-desk.ts";

const DAY_MS = 86_400_000;

let desk: ReviewDesk;

beforeAll(async () => {
  desk = await openReviewDesk({ DRAFT_EXPIRY_DAYS: "2.5", REJECTION_EXPIRY_DAYS: "0.5" });
});

const shown = z.object({
  id: z.string(),
  updated_at: z.string(),
  next_action: z.object({ due_at: z.string().nullable() }),
});

const order = async (id: string) =>
  shown.parse((await desk.api("GET", `/v2/porting_orders/${id}`)).body);

const dueOf = async (id: string) => (await order(id)).next_action.due_at;

/** The due times of the account's orders in both lists, by id. */
async function listedDueTimes() {
  const lists = [
    dataOf(await desk.api("GET", "/v2/porting_orders?limit=250")),
    dataOf(await desk.desk("GET", "/orders?limit=250")),
  ];
  return lists.map(
    (list) =>
      new Map(list.map((one) => shown.parse(one)).map((one) => [one.id, one.next_action.due_at])),
  );
}

function later(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * DAY_MS).toISOString();
}

describe("next_action.due_at", () => {
  it("is a draft's expiry, which the customer's changes put off", async () => {
    const made = await desk.api("POST", "/v2/porting_orders", {
      phone_numbers: ["+12125558901"],
      losing_carrier: "manual",
    });
    const created = shown.parse(dataOf(made)[0]);
    expect(created.next_action.due_at).toBe(later(created.updated_at, 2.5));
    expect(await dueOf(created.id)).toBe(created.next_action.due_at);
    const path = `/v2/porting_orders/${created.id}`;
    const patched = shown.parse(
      (await desk.api("PATCH", path, { customer_reference: "put off" })).body,
    );
    expect(patched.next_action.due_at).toBe(later(patched.updated_at, 2.5));
    expect(Date.parse(patched.updated_at)).toBeGreaterThan(Date.parse(created.updated_at));
    const [own, everybodys] = await listedDueTimes();
    expect(own?.get(created.id)).toBe(patched.next_action.due_at);
    expect(everybodys?.get(created.id)).toBe(patched.next_action.due_at);
  });

  // (docs/contract/customer-api.md, Transitions)
  it("is put off by the customer's comment and value, and not by the desk's comment", async () => {
    const id = await desk.newOrder();
    const path = `/v2/porting_orders/${id}`;
    const putOff: (string | null)[] = [await dueOf(id)];
    const acts = [
      () => desk.api("POST", `${path}/comments`, { body: "Tomorrow." }),
      () => desk.api("PATCH", `${path}/requirements/entity_name`, { field_value: "Acme LLC" }),
      () => desk.api("DELETE", `${path}/requirements/port_type`),
    ];
    for (const act of acts) {
      expect((await act()).status).toBeLessThan(300);
      putOff.push(await dueOf(id));
    }
    expect(putOff).toEqual([...new Set(putOff)].toSorted());
    expect((await desk.desk("POST", `/orders/${id}/comments`, { body: "Well?" })).status).toBe(201);
    expect(await dueOf(id)).toBe(putOff.at(-1));
  });

  it("is the desk's due time in review", async () => {
    const id = await desk.newCase();
    const { body } = await desk.desk("GET", `/reviews/${id}`);
    const due = z.iso.datetime().parse(body?.["due_at"]);
    expect(await dueOf(id)).toBe(due);
    const [own, everybodys] = await listedDueTimes();
    expect([own?.get(id), everybodys?.get(id)]).toEqual([due, due]);
    expect((await desk.desk("GET", `/orders/${id}`)).body).toMatchObject({
      next_action: { actor: "desk", due_at: due },
    });
  });

  it("is a rejection's expiry, and null once the order is closed", async () => {
    const id = await desk.newCase();
    const decisions = [{ slug: "entity_name", decision: "reject", reason: "Not legible." }];
    await desk.desk("POST", `/reviews/${id}/decision`, { decisions });
    await eventually(async () => {
      const rejected = await order(id);
      expect(rejected.next_action.due_at).toBe(later(rejected.updated_at, 0.5));
    });
    const closed = await desk.desk("POST", `/orders/${id}/close`, { reason: "by phone" });
    expect(closed.body).toMatchObject({ status: "cancelled", next_action: { due_at: null } });
  });

  it("is foc_actual once the date is confirmed", async () => {
    const id = await desk.newOrder();
    await desk.database.query(
      `update orders.porting_orders set status = 'foc_scheduled', request_version = 1,
        foc_actual = '2026-12-01T10:00:00-05:00' where id = $1`,
      [id],
    );
    expect(await dueOf(id)).toBe("2026-12-01T15:00:00.000Z");
    expect((await listedDueTimes())[0]?.get(id)).toBe("2026-12-01T15:00:00.000Z");
  });
});
