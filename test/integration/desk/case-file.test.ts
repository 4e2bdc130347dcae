import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { startQuickProduct } from "../../support/product/shared-products.ts";
import { eventually } from "../../support/eventually.ts";
import {
  reviewDeskOf,
  type AddedOperator,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

const HOUR_MS = 3_600_000;
const object = z.record(z.string(), z.unknown());

let desk: ReviewDesk;
let viewer: AddedOperator;
let me: { id: string; name: string };

beforeAll(async () => {
  // Its desk is always open.
  desk = await reviewDeskOf(await startQuickProduct());
  viewer = await desk.addOperator("Vic Viewer", "viewer");
  me = { id: textOf(await desk.desk("GET", "/me"), "id"), name: "First operator" };
});

const caseOf = (orderId: string, by: Operator = desk) => by.desk("GET", `/reviews/${orderId}`);

function listOf(answer: Answer, name: string): Record<string, unknown>[] {
  return z.array(object).parse(answer.body?.[name]);
}

function fieldOf(answer: Answer, slug: string): Record<string, unknown> | undefined {
  return listOf(answer, "requirements").find((one) => one["slug"] === slug);
}

const timeOf = (fields: Record<string, unknown> | null | undefined, name: string): number =>
  Date.parse(String(fields?.[name]));

/** Rejects fields of the order's case and waits until its customer can correct them. */
async function reject(orderId: string, slugs: readonly string[]): Promise<void> {
  const decisions = slugs.map((slug) => ({ slug, decision: "reject", reason: "Not legible." }));
  const decided = await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions });
  expect(decided.status).toBe(202);
  await eventually(async () => {
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(body?.["status"]).toBe("rejection");
  });
}

async function rewrite(orderId: string, slug: string, value: string): Promise<void> {
  const path = `/v2/porting_orders/${orderId}/requirements/${slug}`;
  expect((await desk.api("PATCH", path, { field_value: value })).status).toBe(200);
}

/** A case whose name and account number were rejected and rewritten. */
async function newSecondAttempt(): Promise<string> {
  const orderId = await desk.newCase();
  await reject(orderId, ["entity_name", "account_number"]);
  await rewrite(orderId, "entity_name", "Acme LLC");
  await rewrite(orderId, "account_number", "9999-1234");
  await desk.submit(orderId);
  return orderId;
}

describe("the case", () => {
  it("has the facts of the order", async () => {
    const orderId = await desk.newCase();
    const { rows } = await desk.database.query<{ phone_number: string }>(
      "select phone_number from orders.order_numbers where order_id = $1",
      [orderId],
    );
    const { body } = await caseOf(orderId);
    expect(body?.["order"]).toEqual({
      account: { id: expect.any(String), name: expect.any(String) },
      country_code: "US",
      number_type: "local",
      losing_carrier: "manual",
      phone_numbers: rows.map((one) => one.phone_number),
      customer_reference: "",
      foc_requested: null,
    });
  });

  it("shows what stood there at the attempt before, and nothing before the first", async () => {
    const orderId = await desk.newCase();
    const first = await caseOf(orderId);
    for (const field of listOf(first, "requirements")) {
      expect(field).toMatchObject({
        previous_value: null,
        previous_document_id: null,
        matches: [],
      });
    }
    const name = fieldOf(first, "entity_name")?.["field_value"];
    const invoice = fieldOf(first, "invoice")?.["document_id"];
    await reject(orderId, ["entity_name", "account_number", "invoice"]);
    await rewrite(orderId, "entity_name", "Acme LLC");
    await rewrite(orderId, "account_number", "9999-1234");
    await desk.database.query(
      `update orders.requirements set document_id = gen_random_uuid(), status = 'requirement-info-pending',
        exception_reason = null where order_id = $1 and slug = 'invoice'`,
      [orderId],
    );
    await desk.submit(orderId);
    const second = await caseOf(orderId);
    expect(second.body?.["attempt"]).toBe(2);
    expect(fieldOf(second, "entity_name")).toMatchObject({
      field_value: "Acme LLC",
      previous_value: name,
    });
    expect(fieldOf(second, "account_number")).toMatchObject({
      field_value: "9999-1234",
      previous_value: "8772-114-90210",
    });
    expect(fieldOf(second, "pin_passcode")).toMatchObject({
      field_value: "****",
      previous_value: "****",
    });
    const document = fieldOf(second, "invoice");
    expect(document).toMatchObject({ previous_document_id: invoice, previous_value: invoice });
    expect(document?.["document_id"]).not.toBe(invoice);
    // Cases from before values were kept.
    await desk.database.query("delete from reviews.case_values where order_id = $1", [orderId]);
    expect(fieldOf(await caseOf(orderId), "entity_name")).toMatchObject({ previous_value: null });
  });

  it("keeps the earlier sensitive values sealed", async () => {
    const orderId = await desk.newCase();
    const { rows } = await desk.database.query<Record<string, unknown>>(
      "select * from reviews.case_values where order_id = $1 and slug = 'account_number'",
      [orderId],
    );
    expect(rows).toMatchObject([{ value: null, masked_value: "****0210" }]);
    expect(rows[0]?.["sealed_value"]).toBeInstanceOf(Buffer);
  });

  it("masks sensitive values for viewers, of now and before, and records no look of theirs", async () => {
    const orderId = await newSecondAttempt();
    const seen = await caseOf(orderId, viewer);
    expect(fieldOf(seen, "account_number")).toMatchObject({
      field_value: "****1234",
      previous_value: "****0210",
    });
    expect(JSON.stringify(seen.body)).not.toMatch(/9999-1234|8772-114-90210/);
    expect(fieldOf(seen, "entity_name")).toMatchObject({ field_value: "Acme LLC" });
    const path = `/audit?action=review.viewed&porting_order_id=${orderId}&limit=250`;
    const looks = dataOf(await desk.desk("GET", path));
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.filter((one) => one["operator_name"] === viewer.person.name)).toEqual([]);
  });

  it("names people with id and name, and the account's earlier cases with what was rejected", async () => {
    const orderId = await newSecondAttempt();
    const shown = await caseOf(orderId);
    expect(listOf(shown, "history")).toMatchObject([
      {
        attempt: 1,
        decided_by: me,
        decisions: [{ slug: "entity_name", operator: me }, { slug: "account_number" }],
      },
    ]);
    expect(JSON.stringify(shown.body)).not.toContain("operator_id");
    const other = await desk.newCase();
    const [latest] = listOf(await caseOf(other), "account_history");
    // The open second attempt is not closed yet: the first one is.
    expect(latest).toMatchObject({
      order_id: orderId,
      attempt: 1,
      state: "decided",
      outcome: "applied",
      decided_by: me,
      rejected: [
        { slug: "entity_name", code: null, reason: "Not legible." },
        { slug: "account_number", code: null, reason: "Not legible." },
      ],
    });
    const own = listOf(shown, "account_history").map((one) => one["order_id"]);
    expect(own).not.toContain(orderId);
    expect(own).not.toContain(other);
  });

  it("is due after the desk's hours; the clock goes on where the desk's rejection stopped it", async () => {
    const orderId = await desk.newCase();
    const first = (await caseOf(orderId)).body;
    expect(timeOf(first, "due_at") - timeOf(first, "submitted_at")).toBe(8 * HOUR_MS);
    await reject(orderId, ["entity_name"]);
    await rewrite(orderId, "entity_name", "Acme LLC");
    await desk.submit(orderId);
    const second = await caseOf(orderId);
    const [earlier] = listOf(second, "history");
    const left = timeOf(first, "due_at") - timeOf(earlier, "decided_at");
    expect(left).toBeLessThan(8 * HOUR_MS);
    expect(timeOf(second.body, "due_at") - timeOf(second.body, "submitted_at")).toBe(left);
    const order = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(object.parse(order.body?.["next_action"])["due_at"]).toBe(second.body?.["due_at"]);
  });
});

describe("a note", () => {
  it("stands in the case and in the desk's timeline, and no customer ever sees it", async () => {
    const orderId = await desk.newCase();
    const path = `/orders/${orderId}/notes`;
    const written = await desk.desk("POST", path, { body: " Ask for the CSR. " });
    expect(written.status).toBe(201);
    expect(written.headers.get("location")).toBe(`/desk/v1/orders/${orderId}/timeline`);
    const note = {
      id: textOf(written, "id"),
      body: "Ask for the CSR.",
      author: me,
      created_at: expect.any(String),
    };
    expect(written.body).toEqual(note);
    const { body } = await desk.desk("POST", path, { body: "Done." });
    const shown = await caseOf(orderId, viewer);
    expect(shown.body).toMatchObject({ notes: [note, { body: "Done." }], comments: [] });
    const timeline = dataOf(await viewer.desk("GET", `/orders/${orderId}/timeline`));
    expect(timeline[0]).toMatchObject({ id: body?.["id"], kind: "note", data: { body: "Done." } });
    const order = `/v2/porting_orders/${orderId}`;
    for (const read of [order, `${order}/timeline?limit=250`, `${order}/comments`]) {
      const seen = await desk.api("GET", read);
      expect([read, seen.status]).toEqual([read, 200]);
      expect(JSON.stringify(seen.body)).not.toMatch(/CSR\.|Done\.|"note"/);
    }
    const events = await desk.database.query(
      "select from messaging.outbox where topic like '%porting.events' and key = $1 and value::text like '%CSR%'",
      [orderId],
    );
    expect(events.rowCount).toBe(0);
    const [entry] = dataOf(
      await desk.desk("GET", `/audit?action=order.noted&porting_order_id=${orderId}`),
    );
    expect(entry).toMatchObject({
      porting_order_id: orderId,
      after: { note: { id: body?.["id"], body: "Done." } },
    });
  });

  it("needs a text, a reviewer and an order", async () => {
    const orderId = await desk.newOrder();
    const write = (id: string, body: unknown, by: Operator = desk) =>
      by.desk("POST", `/orders/${id}/notes`, body);
    expect((await write(orderId, { body: "On a draft." })).status).toBe(201);
    for (const body of [{}, { body: " " }, { body: "x".repeat(4_001) }, { body: "x", y: 1 }]) {
      expect((await write(orderId, body)).status).toBe(422);
    }
    expect((await write(orderId, { body: "x" }, viewer)).status).toBe(403);
    expect((await write(me.id, { body: "x" })).status).toBe(404);
  });
});

describe("the reasons for rejections", () => {
  // Which code concerns which requirement: record-decision.test.ts.
  it("are listed, and one of the desk's own reaches the customer", async () => {
    const reasons = dataOf(await viewer.desk("GET", "/rejection_reasons"));
    expect(reasons.find((one) => one["code"] === "document_unsigned")).toEqual({
      code: "document_unsigned",
      slugs: ["loa"],
      title: expect.any(String),
      text: expect.any(String),
    });
    const orderId = await desk.newCase();
    const code = "document_illegible";
    const rejection = { slug: "invoice", decision: "reject", code, reason: "Not legible." };
    const path = `/reviews/${orderId}/decision`;
    expect((await desk.desk("POST", path, { decisions: [rejection] })).status).toBe(202);
    await eventually(async () => {
      const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
      expect(body?.["exceptions"]).toMatchObject([{ code, slug: "invoice" }]);
    });
  });
});
