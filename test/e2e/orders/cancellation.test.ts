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

async function create(losingCarrier?: string, count = 1): Promise<string> {
  const made = await api("/v2/porting_orders", {
    phone_numbers: Array.from({ length: count }, () => product.newNumber()),
    ...(losingCarrier === undefined ? {} : { losing_carrier: losingCarrier }),
  });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

async function toReview(losingCarrier?: string, count = 1): Promise<string> {
  const orderId = await create(losingCarrier, count);
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  await eventually(async () => expect((await desk(`/reviews/${orderId}`)).status).toBe(200));
  return orderId;
}

async function toSubmitted(losingCarrier: string, count = 1): Promise<string> {
  const orderId = await toReview(losingCarrier, count);
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

  it("that wants several orders is met by a split at the desk, with nothing to give again", async () => {
    const orderId = await toSubmitted("manual", 3);
    const before = (await api(`/v2/porting_orders/${orderId}`)).body;
    const [first = "", second = "", third = ""] = z
      .array(z.string())
      .parse(before?.["phone_numbers"]);
    await reportUpdate(orderId, "rejected", { rejection: { raw_code: "different_accounts" } });
    await becomes(orderId, "rejection");
    const batch = String(before?.["batch_id"]);
    const submitted = await api(`/v2/porting_orders/${orderId}/submit`, {});
    expect([submitted.status, submitted.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await api(`/v2/porting_batches/${batch}/submit`, {})).body).toMatchObject({
      data: [{ order_id: orderId, ok: false, error: { code: "invalid_state" } }],
    });
    const given = { requirements: { entity_name: "Acme Dental LLC" } };
    expect((await api(`/v2/porting_batches/${batch}/requirements`, given)).body).toMatchObject({
      data: [{ order_id: orderId, ok: false, error: { code: "invalid_state" } }],
    });
    expect((await api(`/v2/porting_orders/${orderId}/readiness`)).body).toEqual({
      ...{ ready: false, blocking: [] },
      detail: expect.stringContaining("different_accounts"),
    });
    const own = (tag: string) => ({ tags: [tag] });
    const numbers = { [first]: own("a"), [second]: own("b"), [third]: own("c") };
    const configured = await call(`${product.apiUrl}/v2/porting_orders/${orderId}`, {
      ...{ method: "PATCH", key: product.apiKey },
      body: { number_configuration: { numbers } },
    });
    expect(configured.status).toBe(200);
    const path = `/orders/${orderId}/split`;
    const reason = "Two accounts.";
    const wrong = await desk(path, { groups: [[first], [second]], reason });
    expect([wrong.status, wrong.body?.["errors"]]).toMatchObject([
      422,
      [{ code: "missing_number" }],
    ]);
    const split = await desk(path, { groups: [[first, third], [second]], reason });
    expect(dataOf(split)).toMatchObject([
      { id: orderId, status: "in_review", phone_numbers: [first, third] },
      { status: "in_review", phone_numbers: [second], batch_id: before?.["batch_id"] },
    ]);
    const other = z.string().parse(dataOf(split)[1]?.["id"]);
    for (const [id, its] of [
      [orderId, { [first]: own("a"), [third]: own("c") }],
      [other, { [second]: own("b") }],
    ] as const) {
      const { body } = await api(`/v2/porting_orders/${id}`);
      expect(body?.["number_configuration"]).toEqual({ default: {}, numbers: its });
    }
    for (const id of [orderId, other]) {
      await eventually(async () => {
        expect((await desk(`/reviews/${id}`)).body).toMatchObject({ attempt: 2, state: "open" });
      });
      expect((await desk(`/reviews/${id}/decision`, { confirm: true, attempt: 2 })).status).toBe(
        202,
      );
      await becomes(id, "submitted");
    }
    const shown = (await api(`/v2/porting_orders/${other}`)).body;
    const fields = z.array(
      z.object({ slug: z.string(), status: z.string(), field_value: z.string().nullable() }),
    );
    const values = fields.parse(shown?.["requirements"]).filter((one) => one.field_value !== null);
    expect(values.map(({ slug, status }) => [slug, status])).toEqual(
      fields
        .parse(before?.["requirements"])
        .filter((one) => one.field_value !== null)
        .map(({ slug }) => [slug, "approved"]),
    );
    const letter = values.find(({ slug }) => slug === "loa")?.field_value ?? "";
    expect(fields.parse(before?.["requirements"]).map((one) => one.field_value)).not.toContain(
      letter,
    );
    const file = await fetch(`${product.apiUrl}/v2/documents/${letter}`, {
      headers: { Authorization: `Bearer ${product.apiKey}` },
    });
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    await eventually(async () => {
      expect(await chainOf(other)).toEqual(["in_review", "submitted"]);
      const told = dataOf(
        await api(`/v2/porting/events?porting_order_id=${orderId}&type=porting_order.split`),
      );
      expect(told.map(({ payload }) => payload)).toMatchObject([
        { porting_orders: [{ id: orderId }, { id: other, phone_numbers: [second] }] },
      ]);
    });
    await reportUpdate(other, "number_active");
    await becomes(other, "completed");
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

describe("a change after submission", () => {
  const changesOf = (orderId: string) => `/v2/porting_orders/${orderId}/changes`;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  async function openings(orderId: string, days: number): Promise<string> {
    const path = `/v2/porting_orders/${orderId}/allowed_foc_windows?from=${inDays(days)}`;
    return z.string().parse(dataOf(await api(path))[0]?.["opens_at"]);
  }

  /** Of two numbers, with a confirmed date so many days ahead, at a carrier that the desk calls. */
  async function toDated(days: number, wanted: number | null = null): Promise<string> {
    const orderId = await create("manual", 2);
    if (wanted !== null) {
      const body = { foc_requested: await openings(orderId, wanted) };
      const url = `${product.apiUrl}/v2/porting_orders/${orderId}`;
      expect((await call(url, { method: "PATCH", key: product.apiKey, body })).status).toBe(200);
    }
    await fulfilOrder(product, orderId);
    await submitOrder(product, orderId);
    await eventually(async () => expect((await desk(`/reviews/${orderId}`)).status).toBe(200));
    await confirmAtDesk(product, orderId);
    await becomes(orderId, "submitted");
    await reportUpdate(orderId, "date_confirmed", { foc_at: inDays(days) });
    await becomes(orderId, "foc_scheduled");
    return orderId;
  }

  it("is accepted by the carrier's date, and the removed number can be ordered again", async () => {
    const orderId = await toDated(10);
    const [first = "", second = ""] = z
      .array(z.string())
      .parse((await api(`/v2/porting_orders/${orderId}`)).body?.["phone_numbers"]);
    const foc_requested = await openings(orderId, 20);
    const body = { foc_requested, remove_phone_numbers: [second], reason: "Later." };
    const asked = await api(changesOf(orderId), body);
    expect([asked.status, asked.body]).toMatchObject([201, { status: "pending", requested: body }]);
    const id = String(asked.body?.["id"]);
    expect(asked.headers.get("location")).toBe(`${changesOf(orderId)}/${id}`);
    const other = await api(changesOf(orderId), { foc_requested });
    expect([other.status, other.body?.["code"]]).toEqual([409, "invalid_state"]);
    const waiting = await api(`/v2/porting_orders/${orderId}`);
    expect(waiting.body).toMatchObject({
      ...{ pending_change_id: id, foc_requested: null, phone_numbers: [first, second] },
      next_action: { actor: "desk", action: "handle_exception" },
    });
    await reportUpdate(orderId, "date_moved", { foc_at: foc_requested });
    await eventually(async () => {
      expect((await api(`${changesOf(orderId)}/${id}`)).body?.["status"]).toBe("accepted");
    });
    const changed = await api(`/v2/porting_orders/${orderId}`);
    expect(changed.body).toMatchObject({
      ...{ pending_change_id: null, phone_numbers: [first], foc_requested },
      foc_actual: foc_requested,
      next_action: { actor: "carrier", action: "wait_for_activation" },
    });
    expect((await api("/v2/porting_orders", { phone_numbers: [second] })).status).toBe(201);
    const timeline = dataOf(await api(`/v2/porting_orders/${orderId}/timeline`));
    const entries = timeline.filter(({ kind }) => kind === "change");
    expect(entries.map(({ data }) => data)).toMatchObject([
      { id, status: "accepted" },
      { id, status: "pending" },
    ]);
  });

  it("is refused by the carrier, or withdrawn, and the order goes on as it was", async () => {
    const orderId = await toDated(10);
    const before = (await api(`/v2/porting_orders/${orderId}`)).body;
    const body = { foc_requested: await openings(orderId, 20) };
    const withdrawn = await api(changesOf(orderId), body);
    const id = String(withdrawn.body?.["id"]);
    const ended = await api(`${changesOf(orderId)}/${id}/withdraw`, {});
    expect([ended.status, ended.body?.["status"]]).toEqual([200, "withdrawn"]);
    expect((await api(changesOf(orderId), body)).status).toBe(201);
    const rejection = { raw_code: "other", raw_text: "It is planned." };
    await reportUpdate(orderId, "change_refused", { rejection });
    await eventually(async () => {
      expect(dataOf(await api(changesOf(orderId)))).toMatchObject([
        { status: "refused", detail: "It is planned." },
        { status: "withdrawn" },
      ]);
    });
    const { foc_actual, phone_numbers, status } = before ?? {};
    const after = (await api(`/v2/porting_orders/${orderId}`)).body;
    expect(after).toMatchObject({ foc_actual, phone_numbers, status, pending_change_id: null });
    const comments = dataOf(await api(`/v2/porting_orders/${orderId}/comments`));
    expect(comments[0]).toMatchObject({
      author_type: "carrier",
      body: "The change was refused: It is planned.",
    });
    await reportUpdate(orderId, "number_active", { request_version: 1 });
    await becomes(orderId, "completed");
  });

  it("is too late near the date, and refused at once for what cannot be", async () => {
    const orderId = await toDated(1);
    const foc_requested = await openings(orderId, 20);
    const late = await api(changesOf(orderId), { foc_requested });
    expect([late.status, late.body?.["code"]]).toEqual([409, "change_too_late"]);
    const faultsFor = async (body: object) => {
      const answer = await api(changesOf(orderId), body);
      expect(answer.status).toBe(422);
      return z.array(z.object({ code: z.string() })).parse(answer.body?.["errors"]);
    };
    const night = foc_requested.replace(/T\d\d/, "T03");
    expect(await faultsFor({ foc_requested: night })).toMatchObject([{ code: "foc_not_possible" }]);
    expect(await faultsFor({ reason: "None." })).toMatchObject([{ code: "required" }]);
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    expect(await faultsFor({ remove_phone_numbers: body?.["phone_numbers"] })).toMatchObject([
      { code: "last_number" },
    ]);
  });

  it("is asked for at any time while a close date awaits confirmation, half the time to it", async () => {
    const began = Date.now();
    const orderId = await toDated(1, 20);
    const shown = (await api(`/v2/porting_orders/${orderId}`)).body;
    const next = z.object({ action: z.string(), due_at: z.string() }).parse(shown?.["next_action"]);
    const hours = (Date.parse(next.due_at) - began) / 3_600_000;
    expect([next.action, Math.round(hours)]).toEqual(["confirm_date", 12]);
    const alerted = (await desk(`/orders/${orderId}`)).body;
    expect(alerted?.["attention"]).toMatchObject({ kind: "carrier" });
    const asked = await api(changesOf(orderId), { foc_requested: await openings(orderId, 20) });
    expect([asked.status, asked.body?.["status"]]).toEqual([201, "pending"]);
  });

  it("confirms a date before the requested one at once", async () => {
    const orderId = await toDated(10, 20);
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    const { due_at: due } = z.object({ due_at: z.string() }).parse(body?.["next_action"]);
    expect(body?.["next_action"]).toMatchObject({ actor: "customer", action: "confirm_date" });
    expect(Math.round((Date.parse(due) - Date.now()) / 3_600_000)).toBe(24);
    const confirmed = await api(changesOf(orderId), { foc_requested: body?.["foc_actual"] });
    expect([confirmed.status, confirmed.body?.["status"]]).toEqual([201, "accepted"]);
    const after = (await api(`/v2/porting_orders/${orderId}`)).body;
    expect(after).toMatchObject({
      foc_requested: body?.["foc_actual"],
      next_action: { actor: "carrier", action: "wait_for_activation" },
    });
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
