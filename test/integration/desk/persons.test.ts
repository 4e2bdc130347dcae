import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { openReviewDesk, type ReviewDesk } from "../../support/orders/review-desk.ts";

let desk: ReviewDesk;
let orderId: string;
/** Who wrote, and who decided. */
let ann: { readonly id: string; readonly name: string };
let first: typeof ann;

const people = z.object({ id: z.string(), name: z.string() });

beforeAll(async () => {
  desk = await openReviewDesk();
  first = people.parse((await desk.desk("GET", "/me")).body);
  const { desk: asAnn, person } = await desk.addOperator("Ann Smith", "reviewer");
  ann = person;
  orderId = await desk.newCase();
  const comment = { body: "We look at your letter." };
  expect((await asAnn("POST", `/orders/${orderId}/comments`, comment)).status).toBe(201);
  expect((await desk.desk("POST", `/reviews/${orderId}/claim`)).status).toBe(200);
  const decision = { decision: "reject", reason: "Illegible.", slug: "loa" };
  const decided = { decisions: [decision] };
  expect((await desk.desk("POST", `/reviews/${orderId}/decision`, decided)).status).toBe(202);
  await eventually(async () => {
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(body?.["status"]).toBe("rejection");
  });
  const close = { reason: "Asked by phone." };
  expect((await desk.desk("POST", `/orders/${orderId}/close`, close)).status).toBe(200);
});

/** What she is called later. */
const newName = (): string => ann.name.replace("Smith", "Grey");

const entries = z.array(z.looseObject({ kind: z.string(), actor: z.unknown() }));
const timeline = `?limit=250&order=asc`;

describe("who acted at the desk", () => {
  it("is a person with id and name in the desk's timeline, of a decision too", async () => {
    const path = `/orders/${orderId}/timeline${timeline}`;
    const shown = entries.parse(dataOf(await desk.desk("GET", path)));
    const byDesk = shown.filter(({ actor }) => JSON.stringify(actor).includes('"desk"'));
    expect(byDesk.length).toBeGreaterThan(2);
    const persons = [ann, first].map((person) => ({ type: "desk", ...person }));
    for (const { actor } of byDesk) {
      expect(persons.map(({ type, id, name }) => ({ type, id, name }))).toContainEqual(actor);
    }
    const [comment] = shown.filter(({ kind }) => kind === "comment");
    expect(comment?.actor).toEqual({ type: "desk", id: ann.id, name: ann.name });
  });

  it("is a person in the order's trace too, where a decision and a claim have an id alone", async () => {
    const path = `/orders/${orderId}/messages?limit=250&order=asc`;
    const steps = z
      .array(z.looseObject({ step: z.string(), name: z.string(), actor: z.unknown() }))
      .parse(dataOf(await desk.desk("GET", path)));
    const byDesk = steps.filter(({ actor }) => JSON.stringify(actor).includes('"desk"'));
    expect(byDesk.map(({ actor }) => actor)).toContainEqual({ type: "desk", ...first });
    expect(JSON.stringify(byDesk.map(({ actor }) => actor))).not.toContain('"name":null');
    const claims = steps.filter(({ name }) => name === "review.claimed");
    expect(claims.map(({ value }) => value)).toMatchObject([{ after: { claimed_by: first } }]);
  });

  it("has the name of today there, and the name of then in the audit log", async () => {
    const name = newName();
    expect((await desk.desk("PATCH", `/operators/${ann.id}`, { name })).status).toBe(200);
    const shown = JSON.stringify(await desk.desk("GET", `/orders/${orderId}/timeline${timeline}`));
    expect([shown.includes(name), shown.includes(ann.name)]).toEqual([true, false]);
    const path = `/audit?porting_order_id=${orderId}&operator_id=${ann.id}`;
    const [commented] = dataOf(await desk.desk("GET", path));
    expect(commented?.["operator"]).toEqual(ann);
  });

  it("is neither named nor identified to the customer", async () => {
    const seen: unknown[] = [];
    for (const path of ["", `/timeline${timeline}`, "/comments", "/events"]) {
      const answer = await desk.api("GET", `/v2/porting_orders/${orderId}${path}`);
      if (path !== "/events") expect(answer.status).toBe(200);
      seen.push(answer.body);
    }
    seen.push((await desk.api("GET", "/v2/events?limit=250")).body);
    for (const { id, name } of [ann, first]) {
      for (const internal of [id, name, newName()])
        expect(JSON.stringify(seen)).not.toContain(internal);
    }
    expect(textOf(await desk.api("GET", `/v2/porting_orders/${orderId}`), "status")).toBe(
      "cancelled",
    );
  });
});
