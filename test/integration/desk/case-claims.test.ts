import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, textOf, type Answer } from "../../support/http/call.ts";
import {
  openReviewDesk,
  type Operator,
  type ReviewDesk,
} from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;
let lead: Operator;
let bob: Operator;
let viewer: Operator;
const ids: Record<string, string> = {};

beforeAll(async () => {
  desk = await openReviewDesk();
  lead = await desk.addOperator("Lea Lead", "lead");
  bob = await desk.addOperator("Bob Miller", "reviewer");
  viewer = await desk.addOperator("Vic Viewer", "viewer");
  for (const by of [lead, bob, viewer]) {
    const me = await by.desk("GET", "/me");
    ids[textOf(me, "name")] = textOf(me, "id");
  }
});

const person = (name: string) => ({ id: ids[name], name });
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
      from: person("Bob Miller"),
      by: person("Lea Lead"),
      reason: "Bob is ill.",
      at: expect.any(String),
    };
    expect(taken.body).toMatchObject({ claimed_by: person("Lea Lead"), handover });
    const seen = await bob.desk("GET", `/reviews/${orderId}`);
    expect(seen.body).toMatchObject({ claimed_by: person("Lea Lead"), handover });
    expect((await claim(bob)).body?.["detail"]).toContain("Lea Lead");
    // A renewal keeps it; the next claim without a lead has none.
    expect((await claim(lead)).body).toMatchObject({ handover });
    expect(await audited(orderId, "review.taken_over")).toMatchObject([
      {
        operator_name: "Lea Lead",
        before: { claimed_by: person("Bob Miller") },
        after: { claimed_by: person("Lea Lead"), reason: "Bob is ill." },
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
    const goneId = textOf(await gone.desk("GET", "/me"), "id");
    const namesOf = async () =>
      dataOf(await viewer.desk("GET", "/reviewers")).map((one) => one["name"]);
    expect(await namesOf()).toContain("Gil Gone");
    await desk.desk("PATCH", `/operators/${goneId}`, { active: false });
    const reviewers = dataOf(await viewer.desk("GET", "/reviewers"));
    const names = reviewers.map((one) => String(one["name"]));
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(["Bob Miller", "Lea Lead"]));
    expect(names).not.toContain("Gil Gone");
    expect(names).not.toContain("Vic Viewer");
    for (const one of reviewers) expect(Object.keys(one).sort()).toEqual(["id", "name", "role"]);
  });

  it("assigns a case to an operator who may decide", async () => {
    const orderId = await desk.newCase();
    const assign = (operatorId: unknown, by: Operator = lead) =>
      by.desk("POST", `/reviews/${orderId}/assign`, { operator_id: operatorId });
    expect(refusal(await assign(ids["Bob Miller"], bob))).toEqual([403, "forbidden"]);
    for (const id of [ids["Vic Viewer"], orderId]) {
      const refused = await assign(id);
      expect(refusal(refused)).toEqual([422, "validation_failed"]);
      expect(refused.body?.["errors"]).toMatchObject([
        { pointer: "#/operator_id", code: "not_a_reviewer" },
      ]);
    }
    const reviewers = dataOf(await desk.desk("GET", "/reviewers"));
    expect(reviewers).toEqual(
      expect.arrayContaining([
        { ...person("Bob Miller"), role: "reviewer" },
        { ...person("Lea Lead"), role: "lead" },
      ]),
    );
    expect(reviewers).not.toContainEqual(expect.objectContaining({ name: "Vic Viewer" }));
    const assigned = await assign(ids["Bob Miller"]);
    expect(assigned.body).toMatchObject({
      claimed_by: person("Bob Miller"),
      handover: { from: null, by: person("Lea Lead"), reason: null },
    });
    expect((await assign(ids["Lea Lead"])).body).toMatchObject({
      claimed_by: person("Lea Lead"),
      handover: { from: person("Bob Miller"), by: person("Lea Lead"), reason: null },
    });
    expect(await audited(orderId, "review.assigned")).toHaveLength(2);
    await desk.database.query("update accounts.operators set active = false where id = $1", [
      ids["Bob Miller"],
    ]);
    expect((await assign(ids["Bob Miller"])).status).toBe(422);
    await desk.api("POST", `/v2/porting_orders/${orderId}/cancel`, {});
    expect(refusal(await assign(ids["Lea Lead"]))).toEqual([409, "already_decided"]);
  });
});
