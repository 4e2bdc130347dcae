import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const EXCEPTION = "requirement-info-exception";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

function api(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

function desk(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

const order = z.object({
  status: z.string(),
  requirements_status: z.boolean(),
  requirements: z.array(
    z.looseObject({ slug: z.string(), status: z.string(), field_value: z.string().nullable() }),
  ),
  exceptions: z.array(z.record(z.string(), z.unknown())),
  next_action: z.record(z.string(), z.unknown()),
});

async function read(orderId: string) {
  return order.parse((await api("GET", `/porting_orders/${orderId}`)).body);
}

async function fieldOf(orderId: string, slug: string) {
  return (await read(orderId)).requirements.find((one) => one.slug === slug);
}

function becomes(orderId: string, status: string) {
  return eventually(async () => {
    const found = await read(orderId);
    expect(found.status).toBe(status);
    return found;
  });
}

/** An order with all its fields and a signed LOA, whose review case is open. */
async function underReview(): Promise<string> {
  const made = await api("POST", "/porting_orders", { phone_numbers: [product.newNumber()] });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  return orderId;
}

/** Approves all fields under review but one, which is rejected last. */
async function rejectField(orderId: string, rejection: Record<string, string> & { slug: string }) {
  const path = `/reviews/${orderId}`;
  await eventually(async () => expect((await desk("GET", path)).body?.["state"]).toBe("open"));
  const { requirements } = await read(orderId);
  const approvals = requirements
    .filter(({ slug, status }) => slug !== rejection.slug && status.endsWith("under-review"))
    .map(({ slug }) => ({ slug, decision: "approve" }));
  const decisions = [...approvals, { ...rejection, decision: "reject" }];
  const decided = await desk("POST", `${path}/decision`, { decisions });
  expect(decided.status).toBe(202);
}

/** The digest of a document's bytes. */
async function digestOf(documentId: string): Promise<string> {
  const url = `${product.apiUrl}/v2/documents/${documentId}`;
  const file = await fetch(url, { headers: { Authorization: `Bearer ${product.apiKey}` } });
  expect(file.status).toBe(200);
  return createHash("sha256")
    .update(Buffer.from(await file.arrayBuffer()))
    .digest("hex");
}

const listedEvent = z.object({
  type: z.string(),
  payload: z.looseObject({
    requirement: z.record(z.string(), z.unknown()).optional(),
    previous_status: z.string().optional(),
    new_status: z.string().optional(),
  }),
});

/** An order's events in the feed, in order, once it has `times` events of the type `last`. */
function feedOf(orderId: string, last: string, times = 1) {
  return eventually(async () => {
    const path = `/porting/events?order=asc&limit=250&porting_order_id=${orderId}`;
    const events = z.array(listedEvent).parse(dataOf(await api("GET", path)));
    expect(events.filter((one) => one.payload.new_status === last)).toHaveLength(times);
    return events;
  });
}

describe("a field that the desk rejects", () => {
  it("is corrected alone: the LOA stays signed, and the order continues to completed", async () => {
    const orderId = await underReview();
    const letter = z.string().parse((await fieldOf(orderId, "loa"))?.field_value);
    const digest = await digestOf(letter);
    const reason = "The invoice shows another account number.";
    await rejectField(orderId, {
      slug: "account_number",
      code: "account_number_mismatch",
      reason,
    });

    const rejected = await becomes(orderId, "rejection");
    expect(rejected.requirements_status).toBe(false);
    expect(rejected.exceptions).toMatchObject([
      {
        code: "account_number_mismatch",
        detail: reason,
        slug: "account_number",
        raised_by: "desk",
      },
    ]);
    expect(rejected.next_action).toMatchObject({ actor: "customer", action: "fix_requirement" });
    const fields = rejected.requirements.filter((one) => one.status === EXCEPTION);
    expect(fields).toMatchObject([{ slug: "account_number", exception_reason: reason }]);
    const events = await feedOf(orderId, "rejection");
    expect(events.slice(-2).map(({ type }) => type)).toEqual([
      "porting_order.requirement_updated",
      "porting_order.status_changed",
    ]);
    const [updated, moved] = events.slice(-2);
    expect(updated?.payload.requirement).toEqual({
      slug: "account_number",
      status: EXCEPTION,
      reason,
    });
    expect(moved?.payload).toMatchObject({
      previous_status: "in_review",
      new_status: "rejection",
    });
    const approved = events.filter((one) => one.payload.requirement?.["status"] === "approved");
    for (const one of approved) expect(one.payload.requirement).not.toHaveProperty("reason");
    expect(approved.map((one) => one.payload.requirement?.["slug"])).toContain("loa");

    const field = `/porting_orders/${orderId}/requirements/account_number`;
    const early = await api("POST", `/porting_orders/${orderId}/submit`);
    expect([early.status, early.body?.["code"]]).toEqual([409, "not_ready"]);
    const patched = await api("PATCH", field, { field_value: "5550-1234" });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ status: "requirement-info-pending" });
    expect(patched.body).not.toHaveProperty("exception_reason");
    expect(await fieldOf(orderId, "loa")).toMatchObject({
      status: "approved",
      field_value: letter,
    });
    expect(await digestOf(letter)).toBe(digest);
    const ready = await api("GET", `/porting_orders/${orderId}/readiness`);
    expect(ready.body).toEqual({ ready: true, blocking: [], detail: null });

    await submitOrder(product, orderId);
    expect((await read(orderId)).exceptions).toEqual([]);
    await eventually(async () => {
      const { body } = await desk("GET", `/reviews/${orderId}`);
      expect(body).toMatchObject({
        attempt: 2,
        state: "open",
        changed_slugs: ["account_number"],
      });
    });
    await confirmAtDesk(product, orderId);
    await becomes(orderId, "completed");
    const whole = await feedOf(orderId, "completed");
    expect(whole.filter(({ type }) => type === "loa.signed")).toHaveLength(1);
    expect(whole.flatMap((one) => one.payload.new_status ?? [])).toEqual([
      "in_review",
      "rejection",
      "in_review",
      "submitted",
      "in_process",
      "foc_scheduled",
      "activating",
      "completed",
    ]);
    expect(await fieldOf(orderId, "loa")).toMatchObject({
      status: "approved",
      field_value: letter,
    });
  });

  it("needs a new signature where it is the LOA itself", async () => {
    const orderId = await underReview();
    const letter = z.string().parse((await fieldOf(orderId, "loa"))?.field_value);
    const reason = "The signer is not the account holder.";
    await rejectField(orderId, { slug: "loa", code: "loa_invalid", reason });
    await becomes(orderId, "rejection");
    expect(await fieldOf(orderId, "loa")).toMatchObject({
      status: EXCEPTION,
      exception_reason: reason,
    });

    const path = `/porting_orders/${orderId}`;
    await api("PATCH", `${path}/requirements/entity_name`, { field_value: "Acme Dental Inc" });
    const unsigned = await api("POST", `${path}/submit`);
    expect([unsigned.status, unsigned.body?.["code"]]).toEqual([409, "not_ready"]);
    expect(unsigned.body?.["errors"]).toMatchObject([
      { pointer: "#/requirements/loa", code: "exception" },
    ]);
    const signed = await api("POST", `${path}/loa/sign`, {
      signer_name: "Grace Hopper",
      consent: true,
    });
    expect(signed.status).toBe(201);
    const fresh = textOf(signed, "document_id");
    expect(fresh).not.toBe(letter);
    expect(await digestOf(fresh)).toBe(textOf(signed, "sha256"));
    const resigned = await fieldOf(orderId, "loa");
    expect(resigned).toMatchObject({ status: "requirement-info-pending", field_value: fresh });
    expect(resigned).not.toHaveProperty("exception_reason");

    await submitOrder(product, orderId);
    await confirmAtDesk(product, orderId);
    await becomes(orderId, "completed");
    const whole = await feedOf(orderId, "completed");
    expect(whole.filter(({ type }) => type === "loa.signed")).toHaveLength(2);
  });
});
