import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(product.apiUrl + path, { method, key: product.apiKey, body });
}

function desk(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

async function create(losingCarrier?: string): Promise<string> {
  const made = await api("/v2/porting_orders", {
    phone_numbers: [product.newNumber()],
    ...(losingCarrier === undefined ? {} : { losing_carrier: losingCarrier }),
  });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

async function toReview(losingCarrier?: string): Promise<string> {
  const orderId = await create(losingCarrier);
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  await eventually(async () => expect((await desk(`/reviews/${orderId}`)).status).toBe(200));
  return orderId;
}

async function toSubmitted(losingCarrier: string): Promise<string> {
  const orderId = await toReview(losingCarrier);
  await confirmAtDesk(product, orderId);
  await becomes(orderId, "submitted");
  return orderId;
}

async function becomes(orderId: string, status: string, closedBy: string | null = null) {
  await eventually(async () => {
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    expect([body?.["status"], body?.["closed_by"]]).toEqual([status, closedBy]);
  });
}

/** The order's statuses in the feed, from draft on. @throws where the chain is broken */
async function chainOf(orderId: string): Promise<string[]> {
  const listed = await api(`/v2/porting/events?order=asc&porting_order_id=${orderId}`);
  const moves = dataOf(listed)
    .filter((event) => event["type"] === "porting_order.status_changed")
    .map((event) => z.record(z.string(), z.unknown()).parse(event["payload"]));
  moves.slice(1).forEach((move, n) => {
    expect(move["previous_status"]).toBe(moves[n]?.["new_status"]);
  });
  return moves.map((move) => String(move["new_status"]));
}

/** Records a status update of the manual provider's carrier as an operator. */
async function reportUpdate(orderId: string, kind: string, more: Record<string, unknown> = {}) {
  const answer = await desk(`/orders/${orderId}/carrier_updates`, {
    kind,
    raw_status: kind.toUpperCase(),
    ...more,
  });
  expect(answer.status).toBe(202);
}

describe("a cancellation", () => {
  it("of a draft takes effect at once", async () => {
    const orderId = await create();
    const cancelled = await api(`/v2/porting_orders/${orderId}/cancel`, { reason: "changed mind" });
    expect(cancelled.body).toMatchObject({ status: "cancelled", closed_by: "customer" });
    const again = await api(`/v2/porting_orders/${orderId}/cancel`, {});
    expect([again.status, again.body?.["code"]]).toEqual([409, "invalid_state"]);
  });

  it("that the carrier refuses under review opens a new case", async () => {
    const orderId = await toSubmitted("manual");
    await reportUpdate(orderId, "rejected", { rejection: { raw_code: "port_freeze" } });
    await becomes(orderId, "rejection");
    await submitOrder(product, orderId);
    const caseBecomes = (fields: object): Promise<void> =>
      eventually(async () => {
        expect((await desk(`/reviews/${orderId}`)).body).toMatchObject(fields);
      });
    await caseBecomes({ attempt: 2, state: "open" });
    const asked = await api(`/v2/porting_orders/${orderId}/cancel`, {});
    expect(asked.body?.["status"]).toBe("cancel_pending");
    await caseBecomes({ attempt: 2, state: "withdrawn" });
    await reportUpdate(orderId, "cancel_refused");
    await becomes(orderId, "in_review");
    await caseBecomes({ attempt: 3, state: "open" });
  });

  it("under review withdraws the case", async () => {
    const orderId = await toReview();
    await api(`/v2/porting_orders/${orderId}/cancel`, {});
    await becomes(orderId, "cancelled", "customer");
    await eventually(async () => {
      expect((await desk(`/reviews/${orderId}`)).body?.["state"]).toBe("withdrawn");
    });
    const late = await desk(`/reviews/${orderId}/decision`, { confirm: true });
    expect([late.status, late.body?.["code"]]).toEqual([409, "already_decided"]);
  });

  it("by ops is closed by ops, whatever kind the carrier reports", async () => {
    const orderId = await toSubmitted("manual");
    const closed = await desk(`/orders/${orderId}/close`, { reason: "asked by phone" });
    expect(closed.body?.["status"]).toBe("cancel_pending");
    await reportUpdate(orderId, "refused");
    await becomes(orderId, "cancelled", "ops");
  });

  it("that the carrier refuses leaves the order in its latest status, from which it can still be ported", async () => {
    const orderId = await toSubmitted("manual");
    await api(`/v2/porting_orders/${orderId}/cancel`, {});
    await reportUpdate(orderId, "date_confirmed", { foc_at: "2027-01-12T10:00:00-05:00" });
    await reportUpdate(orderId, "cancel_refused");
    await becomes(orderId, "foc_scheduled");
    await api(`/v2/porting_orders/${orderId}/cancel`, {});
    await reportUpdate(orderId, "number_active");
    await becomes(orderId, "completed");
    await eventually(async () => {
      expect(await chainOf(orderId)).toEqual([
        "in_review",
        "submitted",
        "cancel_pending",
        "foc_scheduled",
        "cancel_pending",
        "activating",
        "completed",
      ]);
    });
  });
});

describe("a carrier's rejection", () => {
  it("returns the order, and a second submission is sent as a supplement", async () => {
    const orderId = await toSubmitted("manual");
    await reportUpdate(orderId, "rejected", { rejection: { raw_code: "port_freeze" } });
    await becomes(orderId, "rejection");
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    expect(body?.["exceptions"]).toMatchObject([{ code: "port_freeze", raised_by: "carrier" }]);
    expect(body?.["next_action"]).toMatchObject({ actor: "customer", action: "submit_again" });
    expect((await api(`/v2/porting_orders/${orderId}/submit`, {})).status).toBe(200);
    await eventually(async () => {
      expect((await desk(`/reviews/${orderId}`)).body).toMatchObject({ attempt: 2, state: "open" });
    });
    await desk(`/reviews/${orderId}/decision`, { confirm: true, attempt: 2 });
    await becomes(orderId, "submitted");
    await reportUpdate(orderId, "refused", { request_version: 1 });
    await reportUpdate(orderId, "number_active", { request_version: 2 });
    await becomes(orderId, "completed");
    const timeline = dataOf(await api(`/v2/porting_orders/${orderId}/timeline`));
    expect(timeline.some((entry) => entry["kind"] === "ignored")).toBe(true);
  });

  it("is validated when the desk records it", async () => {
    const orderId = await toSubmitted("manual");
    const path = `/orders/${orderId}/carrier_updates`;
    const undated = await desk(path, { kind: "date_confirmed", raw_status: "FOC" });
    expect([undated.status, undated.body?.["code"]]).toEqual([422, "validation_failed"]);
    const draft = await create("manual");
    const early = await desk(`/orders/${draft}/carrier_updates`, { raw_status: "X" });
    expect([early.status, early.body?.["code"]]).toEqual([409, "invalid_state"]);
  });
});

describe("notes", () => {
  it("of ops are published as events, those of the customer are not", async () => {
    const orderId = await create();
    await api(`/v2/porting_orders/${orderId}/comments`, { body: "mine" });
    await desk(`/orders/${orderId}/comments`, { body: "theirs" });
    const comments = dataOf(await api(`/v2/porting_orders/${orderId}/comments?order=asc`));
    expect(comments.map(({ author_type, body }) => [author_type, body])).toEqual([
      ["customer", "mine"],
      ["ops", "theirs"],
    ]);
    await eventually(async () => {
      const listed = await api(`/v2/porting/events?porting_order_id=${orderId}`);
      const comments = dataOf(listed).filter((one) => one["type"] === "porting_order.new_comment");
      expect(comments).toHaveLength(1);
    });
  });
});
