import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { dataOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  openReviewDesk,
  type AddedOperator,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

const object = z.record(z.string(), z.unknown());

let desk: ReviewDesk;
let bob: AddedOperator;

beforeAll(async () => {
  desk = await openReviewDesk();
  bob = await desk.addOperator("Bob Miller");
});

function listOf(answer: Answer, name: string): Record<string, unknown>[] {
  return z.array(object).parse(answer.body?.[name] ?? []);
}

async function fieldsOf(orderId: string): Promise<Record<string, unknown>[]> {
  return listOf(await desk.desk("GET", `/reviews/${orderId}`), "requirements");
}

/** The slugs that need a decision. */
async function undecided(orderId: string): Promise<string[]> {
  const fields = await fieldsOf(orderId);
  return fields
    .filter((field) => field["status"] === "requirement-info-under-review")
    .map((field) => String(field["slug"]));
}

const approve = (slug: string) => ({ slug, decision: "approve" });
const reject = (slug: string, reason = "It is not legible.") => ({
  slug,
  decision: "reject",
  reason,
});

function decide(orderId: string, body: unknown, by: Operator = desk): Promise<Answer> {
  return by.desk("POST", `/reviews/${orderId}/decision`, body);
}

async function sign(orderId: string): Promise<void> {
  const order = await desk.api("GET", `/v2/porting_orders/${orderId}`);
  const signer = listOf(order, "requirements").find((one) => one["slug"] === "auth_person_name");
  const request = { signer_name: signer?.["field_value"], consent: true };
  const signed = await desk.api("POST", `/v2/porting_orders/${orderId}/loa/sign`, request);
  expect(signed.status).toBe(201);
}

async function becomes(orderId: string, status: string): Promise<void> {
  await eventually(async () => {
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(body?.["status"]).toBe(status);
  });
}

function refusal(answer: Answer): unknown[] {
  return [answer.status, answer.body?.["code"]];
}

function faults(answer: Answer): string[] {
  return listOf(answer, "errors")
    .map((fault) => `${String(fault["pointer"])} ${String(fault["code"])}`)
    .toSorted();
}

describe("the case of an order", () => {
  it("shows its fields with the values to compare, and hides the PIN", async () => {
    const orderId = await desk.newCase();
    const shown = await desk.desk("GET", `/reviews/${orderId}`);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.body).toMatchObject({ attempt: 1, state: "open", outcome: null, history: [] });
    const fields = await fieldsOf(orderId);
    const valueOf = (slug: string) => fields.find((one) => one["slug"] === slug)?.["field_value"];
    expect(valueOf("account_number")).toBe("8772-114-90210");
    expect(valueOf("pin_passcode")).toBe("****");
    const invoice = fields.find((one) => one["slug"] === "invoice");
    expect(invoice).toMatchObject({ mandatory: true, status: "requirement-info-under-review" });
    expect(invoice?.["checks"]).toEqual([
      { check: "opens", state: "passed", code: null, detail: null },
      { check: "age", state: "passed", code: null, detail: "0 days old, of at most 30" },
    ]);
  });

  it("does not exist before the first submit", async () => {
    const orderId = await desk.newReadyOrder();
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/claim"],
      ["POST", "/release"],
    ] as const) {
      expect((await desk.desk(method, `/reviews/${orderId}${path}`)).status).toBe(404);
    }
    expect((await decide(orderId, { confirm: true })).status).toBe(404);
  });

  it("shows earlier attempts and the rewritten fields", async () => {
    const orderId = await desk.newCase();
    expect((await decide(orderId, { decisions: [reject("entity_name")] })).status).toBe(202);
    await becomes(orderId, "rejection");
    const path = `/v2/porting_orders/${orderId}/requirements/entity_name`;
    expect((await desk.api("PATCH", path, { field_value: "Acme LLC" })).status).toBe(200);
    await desk.submit(orderId);
    const shown = await desk.desk("GET", `/reviews/${orderId}`);
    expect(shown.body).toMatchObject({ attempt: 2, changed_slugs: ["entity_name"] });
    const [first] = listOf(shown, "history");
    expect(first).toMatchObject({ attempt: 1, state: "decided", outcome: "applied" });
    expect(first?.["decisions"]).toMatchObject([
      { slug: "entity_name", decision: "reject", reason: "It is not legible.", code: null },
    ]);
    const queued = dataOf(await desk.desk("GET", `/reviews?account_id=${desk.account}`));
    expect(queued.find((one) => one["order_id"] === orderId)).toMatchObject({
      attempt: 2,
      changed_slugs: ["entity_name"],
    });
  });

  it("has a field as changed only where its value is another", async () => {
    const orderId = await desk.newCase();
    const before = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    const { field_value } = listOf(before, "requirements").find(
      ({ slug }) => slug === "entity_name",
    ) ?? { field_value: null };
    expect((await decide(orderId, { decisions: [reject("entity_name")] })).status).toBe(202);
    await becomes(orderId, "rejection");
    const path = `/v2/porting_orders/${orderId}/requirements/entity_name`;
    expect((await desk.api("PATCH", path, { field_value })).status).toBe(200);
    await desk.submit(orderId);
    const shown = await desk.desk("GET", `/reviews/${orderId}`);
    expect(shown.body).toMatchObject({ attempt: 2, changed_slugs: [] });
  });
});

describe("a claim", () => {
  it("excludes other operators and names its holder until it is released or lapses", async () => {
    const orderId = await desk.newCase();
    const claim = (by: Operator = desk) => by.desk("POST", `/reviews/${orderId}/claim`, {});
    const release = (by: Operator = desk) => by.desk("POST", `/reviews/${orderId}/release`, {});
    expect((await claim(bob)).status).toBe(200);
    for (const answer of [
      await claim(),
      await release(),
      await decide(orderId, { confirm: true }),
    ]) {
      expect(refusal(answer)).toEqual([409, "claimed"]);
      expect(answer.body?.["detail"]).toContain(bob.person.name);
    }
    expect((await release(bob)).body?.["claimed_by"]).toBeNull();
    const mine = await claim();
    const me = (await desk.desk("GET", "/me")).body?.["id"];
    expect(mine.body?.["claimed_by"]).toEqual({ id: me, name: "First operator" });
    const again = await claim();
    const until = (answer: Answer) => Date.parse(String(answer.body?.["claimed_until"]));
    expect(until(again)).toBeGreaterThanOrEqual(until(mine));
    const queue = await desk.desk(
      "GET",
      `/reviews?claimed_by=${String(me)}&account_id=${desk.account}`,
    );
    expect(dataOf(queue).map((one) => one["order_id"])).toEqual([orderId]);
    // Simulates the end of its 15 minutes.
    const lapse =
      "update reviews.cases set claimed_until = now() - interval '1 s' where order_id = $1";
    await desk.database.query(lapse, [orderId]);
    expect((await desk.desk("GET", `/reviews/${orderId}`)).body?.["claimed_by"]).toBeNull();
    expect((await claim(bob)).status).toBe(200);
    const audit = dataOf(await desk.desk("GET", `/audit?porting_order_id=${orderId}`));
    const actions = audit.map((entry) => entry["action"]).filter((one) => one !== "review.viewed");
    expect(actions.toReversed()).toEqual([
      "review.claimed",
      "review.released",
      "review.claimed",
      "review.claimed",
      "review.claimed",
    ]);
  });
});

describe("a decision", () => {
  it("is refused with every fault and its place, and has no effect", async () => {
    const orderId = await desk.newCase();
    await decide(orderId, { decisions: [approve("loa")] });
    const before = (await desk.desk("GET", `/reviews/${orderId}`)).body;
    const answer = await decide(orderId, {
      confirm: true,
      decisions: [
        approve("invoice"),
        approve("invoice"),
        approve("no_such_field"),
        approve("loa"),
        { slug: "entity_name", decision: "reject", code: "because" },
      ],
    });
    expect(refusal(answer)).toEqual([422, "validation_failed"]);
    expect(faults(answer)).toEqual([
      "#/confirm confirm_with_rejection",
      "#/decisions/1/slug repeated",
      "#/decisions/2/slug unknown_slug",
      "#/decisions/3/slug not_under_review",
      "#/decisions/4/code unknown_code",
      "#/decisions/4/reason reason_required",
    ]);
    expect(faults(await decide(orderId, {}))).toEqual(["#/confirm nothing_decided"]);
    expect(new Set(faults(await decide(orderId, { confirm: true })))).toEqual(
      new Set(["#/confirm undecided"]),
    );
    const malformed = await decide(orderId, { decisions: [{ slug: 1, decision: "maybe" }], x: 1 });
    expect(malformed.status).toBe(422);
    expect(faults(malformed)).toHaveLength(3);
    expect((await desk.desk("GET", `/reviews/${orderId}`)).body).toEqual(before);
    const wrong = await decide(orderId, { attempt: 2, decisions: [reject("invoice")] });
    expect(refusal(wrong)).toEqual([409, "already_decided"]);
  });

  it("is neither refused nor forced by documents that grew old, and may reject an approved letter", async () => {
    const orderId = await desk.newCase();
    const others = (await undecided(orderId)).filter((slug) => slug !== "account_number");
    await decide(orderId, { decisions: [...others.map(approve), reject("account_number")] });
    await becomes(orderId, "rejection");
    await desk.database.query(
      `update orders.requirements set document_date = now() - interval '31 days'
        where order_id = $1 and document_date is not null`,
      [orderId],
    );
    const order = `/v2/porting_orders/${orderId}`;
    const field = `${order}/requirements/account_number`;
    await desk.api("PATCH", field, { field_value: "8772-114-90211" });
    const ready = { ready: true, blocking: [], detail: null };
    expect((await desk.api("GET", `${order}/readiness`)).body).toEqual(ready);
    await desk.submit(orderId);
    const letter = (await fieldsOf(orderId)).find((one) => one["slug"] === "loa");
    expect(letter).toMatchObject({ status: "approved" });
    expect(letter?.["checks"]).toContainEqual({
      check: "age",
      state: "failed",
      code: "document_too_old",
      detail: "31 days old, of at most 30",
    });
    const back = { decisions: [reject("loa", "The account holder has changed.")] };
    expect((await decide(orderId, back)).status).toBe(202);
    await becomes(orderId, "rejection");
    const { body } = await desk.api("GET", order);
    expect(body?.["exceptions"]).toMatchObject([{ slug: "loa", raised_by: "desk" }]);
    await sign(orderId);
    await desk.submit(orderId);
    const rest = (await undecided(orderId)).map(approve);
    expect((await decide(orderId, { decisions: rest, confirm: true })).status).toBe(202);
    await becomes(orderId, "submitted");
  });

  it("approves in one request and confirms in the next", async () => {
    const orderId = await desk.newCase();
    const approved = await decide(orderId, { decisions: (await undecided(orderId)).map(approve) });
    expect([approved.status, approved.body?.["state"]]).toEqual([202, "open"]);
    const confirmed = await decide(orderId, { confirm: true });
    expect([confirmed.status, confirmed.body?.["state"]]).toEqual([202, "decided"]);
    await becomes(orderId, "submitted");
    await eventually(async () => {
      const { body } = await desk.desk("GET", `/reviews/${orderId}`);
      expect(body).toMatchObject({ state: "decided", outcome: "applied" });
    });
    const decided = `/audit?porting_order_id=${orderId}&action=review.decided`;
    const [entry] = dataOf(await desk.desk("GET", decided));
    expect(entry).toMatchObject({
      action: "review.decided",
      before: { state: "open" },
      after: { state: "decided", confirm: true },
    });
  });

  it("rejects with every reason at once, and publishes them in the order given", async () => {
    const orderId = await desk.newCase();
    const decisions = [
      reject("invoice", "Page 2 is missing."),
      approve("loa"),
      { ...reject("account_number", "It is another account's."), code: "account_number_mismatch" },
    ];
    expect((await decide(orderId, { decisions })).status).toBe(202);
    await becomes(orderId, "rejection");
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(z.array(object).parse(body?.["exceptions"])).toMatchObject([
      { slug: "invoice", code: null, detail: "Page 2 is missing.", raised_by: "desk" },
      { slug: "account_number", code: "account_number_mismatch" },
    ]);
    const timeline = dataOf(await desk.api("GET", `/v2/porting_orders/${orderId}/timeline`));
    const published = timeline
      .filter((entry) => object.parse(entry["actor"])["type"] === "desk")
      .map((entry) => object.parse(entry["data"])["slug"] ?? "status")
      .toReversed();
    expect(published).toEqual(["invoice", "loa", "account_number", "status"]);
  });

  it("has one winner when two operators decide at once", async () => {
    const orderId = await desk.newCase();
    const answers = await Promise.all([
      decide(orderId, { decisions: [reject("invoice")] }),
      decide(orderId, { decisions: [reject("loa")] }, bob),
    ]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([202, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body?.["code"]).toBe("already_decided");
    await becomes(orderId, "rejection");
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(body?.["exceptions"]).toHaveLength(1);
  });

  it("is refused for a withdrawn case once the customer has cancelled", async () => {
    const orderId = await desk.newCase();
    await bob.desk("POST", `/reviews/${orderId}/claim`, {});
    expect((await desk.api("POST", `/v2/porting_orders/${orderId}/cancel`, {})).status).toBe(200);
    const shown = await desk.desk("GET", `/reviews/${orderId}`);
    expect(shown.body).toMatchObject({ state: "withdrawn", claimed_by: null });
    const answer = await decide(orderId, { decisions: [reject("loa")] });
    expect(refusal(answer)).toEqual([409, "already_decided"]);
    const queue = dataOf(await desk.desk("GET", `/reviews?account_id=${desk.account}`));
    expect(queue.map((one) => one["order_id"])).not.toContain(orderId);
  });
});
