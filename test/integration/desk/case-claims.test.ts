import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, type Answer } from "../../support/http/call.ts";
import {
  openReviewDesk,
  type AddedOperator,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;
let lead: AddedOperator;
let bob: AddedOperator;
let viewer: AddedOperator;

beforeAll(async () => {
  desk = await openReviewDesk();
  lead = await desk.addOperator("Lea Lead", "lead");
  bob = await desk.addOperator("Bob Miller", "reviewer");
  viewer = await desk.addOperator("Vic Viewer", "viewer");
});

const refusal = (answer: Answer) => [answer.status, answer.body?.["code"]];

async function audited(orderId: string, action: string): Promise<Record<string, unknown>[]> {
  return dataOf(await desk.desk("GET", `/audit?porting_order_id=${orderId}&action=${action}`));
}

describe("a lead", () => {
  it("takes a case over with a reason, which the former claimer sees", async () => {
    const orderId = await desk.newCase();
    const claim = (by: Operator, body: object = {}) =>
      by.desk("POST", `/reviews/${orderId}/claim`, body);
    await claim(bob);
    expect(refusal(await claim(lead))).toEqual([409, "claimed"]);
    for (const body of [{ take_over: {} }, { take_over: { reason: "  " } }, { take_over: true }]) {
      expect((await claim(lead, body)).status).toBe(422);
    }
    const taken = await claim(lead, { take_over: { reason: "Bob is ill." } });
    const handover = {
      from: bob.person,
      by: lead.person,
      reason: "Bob is ill.",
      at: expect.any(String),
    };
    expect(taken.body).toMatchObject({ claimed_by: lead.person, handover });
    const seen = await bob.desk("GET", `/reviews/${orderId}`);
    expect(seen.body).toMatchObject({ claimed_by: lead.person, handover });
    expect((await claim(bob)).body?.["detail"]).toContain(lead.person.name);
    // A renewal keeps it; the next claim without a lead has none.
    expect((await claim(lead)).body).toMatchObject({ handover });
    expect(await audited(orderId, "review.taken_over")).toMatchObject([
      {
        operator_name: lead.person.name,
        before: { claimed_by: bob.person },
        after: { claimed_by: lead.person, reason: "Bob is ill." },
      },
    ]);
    await lead.desk("POST", `/reviews/${orderId}/release`, {});
    expect((await claim(bob)).body).toMatchObject({ handover: null });
  });

  it("takes a free case like anyone, and nobody else takes one over", async () => {
    const orderId = await desk.newCase();
    const body = { take_over: { reason: "In a hurry." } };
    const path = `/reviews/${orderId}/claim`;
    expect(refusal(await bob.desk("POST", path, body))).toEqual([403, "forbidden"]);
    expect(refusal(await viewer.desk("POST", path, {}))).toEqual([403, "forbidden"]);
    expect((await lead.desk("POST", path, body)).body).toMatchObject({ handover: null });
  });

  // (docs/contract/desk-api.md, GET /reviewers)
  it("is shown those to whom a case can be assigned: active, at least reviewers, by name", async () => {
    const gone = await desk.addOperator("Gil Gone", "reviewer");
    const namesOf = async () =>
      dataOf(await viewer.desk("GET", "/reviewers")).map((one) => one["name"]);
    expect(await namesOf()).toContain(gone.person.name);
    await desk.desk("PATCH", `/operators/${gone.person.id}`, { active: false });
    const reviewers = dataOf(await viewer.desk("GET", "/reviewers"));
    const added = [lead, bob, gone, viewer].map(({ person }) => person.name);
    const names = reviewers.map((one) => String(one["name"]));
    expect(names.filter((name) => added.includes(name))).toEqual([
      bob.person.name,
      lead.person.name,
    ]);
    for (const one of reviewers) expect(Object.keys(one).sort()).toEqual(["id", "name", "role"]);
  });

  it("assigns a case to an operator who may decide", async () => {
    const orderId = await desk.newCase();
    const assign = (operatorId: unknown, by: Operator = lead) =>
      by.desk("POST", `/reviews/${orderId}/assign`, { operator_id: operatorId });
    expect(refusal(await assign(bob.person.id, bob))).toEqual([403, "forbidden"]);
    for (const id of [viewer.person.id, orderId]) {
      const refused = await assign(id);
      expect(refusal(refused)).toEqual([422, "validation_failed"]);
      expect(refused.body?.["errors"]).toMatchObject([
        { pointer: "#/operator_id", code: "not_a_reviewer" },
      ]);
    }
    const reviewers = dataOf(await desk.desk("GET", "/reviewers"));
    expect(reviewers).toEqual(
      expect.arrayContaining([
        { ...bob.person, role: "reviewer" },
        { ...lead.person, role: "lead" },
      ]),
    );
    expect(reviewers).not.toContainEqual(expect.objectContaining({ name: viewer.person.name }));
    const assigned = await assign(bob.person.id);
    expect(assigned.body).toMatchObject({
      claimed_by: bob.person,
      handover: { from: null, by: lead.person, reason: null },
    });
    expect((await assign(lead.person.id)).body).toMatchObject({
      claimed_by: lead.person,
      handover: { from: bob.person, by: lead.person, reason: null },
    });
    expect(await audited(orderId, "review.assigned")).toHaveLength(2);
    await desk.database.query("update accounts.operators set active = false where id = $1", [
      bob.person.id,
    ]);
    expect((await assign(bob.person.id)).status).toBe(422);
    await desk.api("POST", `/v2/porting_orders/${orderId}/cancel`, {});
    expect(refusal(await assign(lead.person.id))).toEqual([409, "already_decided"]);
  });
});
