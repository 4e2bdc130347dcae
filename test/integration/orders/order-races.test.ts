/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { readOrderRecord, type OrderRecord } from "../../support/orders/order-record.ts";
import { openOwnReviewDesk, type OwnReviewDesk } from "../../support/orders/review-desk.ts";

const CLIENTS = 50;
const ROUNDS = 3;
const STATUS = "porting_order.status_changed";
const REQUIREMENT = "porting_order.requirement_updated";

let desk: OwnReviewDesk;
let apiUrls: string[];

beforeAll(async () => {
  desk = await openOwnReviewDesk({ also: ["api#2", "event-log"] });
  const { supervisor, apiUrl } = desk.product;
  apiUrls = [apiUrl, supervisor.service("api#2").url()];
});

type Send = (client: number) => Promise<Answer>;

/** A customer's request; clients are distributed over the API's processes. */
function api(method: string, path: string, body?: (client: number) => unknown): Send {
  return (client) => {
    const url = `${apiUrls[(client >> 1) % apiUrls.length] ?? ""}/v2/porting_orders/${path}`;
    return call(url, { method, key: desk.product.apiKey, body: body?.(client) });
  };
}

interface Counts {
  readonly won: number;
  readonly answers: readonly Answer[];
  /** Status and code of each unsuccessful answer. */
  readonly lost: ReadonlySet<string>;
}

function count(answers: readonly Answer[]): Counts {
  const lost = answers.filter((answer) => answer.status >= 300);
  return {
    won: answers.length - lost.length,
    answers,
    lost: new Set(lost.map(({ status, body }) => `${status} ${String(body?.["code"])}`)),
  };
}

/** All clients at once, alternately of each kind; the kind that starts changes with the round. */
async function race(round: number, first: Send, second: Send): Promise<[Counts, Counts]> {
  const isFirst = (client: number): boolean => (client + round) % 2 === 0;
  const clients = Array.from({ length: CLIENTS }, (_, n) => n);
  const answers = await Promise.all(clients.map((n) => (isFirst(n) ? first(n) : second(n))));
  return [
    count(answers.filter((_, n) => isFirst(n))),
    count(answers.filter((_, n) => !isFirst(n))),
  ];
}

function isSubset(lost: ReadonlySet<string>, allowed: readonly string[]): void {
  expect([...lost].filter((one) => !allowed.includes(one))).toEqual([]);
}

/** The order's record once nothing is in flight, checked against the invariants of every order. */
async function whenSettled(orderId: string): Promise<OrderRecord> {
  const { database, product } = desk;
  const record = await eventually(async () => {
    const found = await readOrderRecord(database, product.topicPrefix, orderId);
    expect([found.unsent, found.unhandled]).toEqual([0, 0]);
    expect(found.logged).toHaveLength(found.event_sequence);
    return found;
  });
  const { logged, moves, messages } = record;
  expect(logged.map(([sequence]) => sequence)).toEqual(logged.map((_, n) => n + 1));
  expect(logged.filter(([, type]) => type === STATUS)).toHaveLength(moves.length);
  expect(messages["porting.events"]).toBe(record.event_sequence);
  moves.slice(1).forEach(([previous], n) => expect(previous).toBe(moves[n]?.[1]));
  expect(moves.at(-1)?.[1] ?? "draft").toBe(record.status);
  return record;
}

const order = z.object({
  requirements: z.array(
    z.object({ slug: z.string(), status: z.string(), field_value: z.string().nullable() }),
  ),
});

async function requirementsOf(orderId: string) {
  const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
  return order.parse(body).requirements;
}

const rounds = Array.from({ length: ROUNDS }, (_, n) => n + 1);

describe(`${CLIENTS} clients at once`, () => {
  it.each(rounds)("submit: one is in review (round %d)", async (round) => {
    const orderId = await desk.newReadyOrder();
    const submit = api("POST", `${orderId}/submit`);
    const [some, others] = await race(round, submit, submit);
    expect(some.won + others.won).toBe(1);
    expect([...new Set([...some.lost, ...others.lost])]).toEqual(["409 invalid_state"]);
    const record = await whenSettled(orderId);
    expect(record).toMatchObject({
      status: "in_review",
      moves: [["draft", "in_review"]],
      cases: [[1, "open", null]],
      requirement_statuses: ["requirement-info-under-review"],
      messages: { "porting.review-requests": 1 },
    });
  });

  it.each(rounds)("submit and cancel: it is cancelled once (round %d)", async (round) => {
    const orderId = await desk.newReadyOrder();
    const [submits, cancels] = await race(
      round,
      api("POST", `${orderId}/submit`),
      api("POST", `${orderId}/cancel`, () => ({})),
    );
    expect(cancels.won).toBe(1);
    expect(submits.won).toBeLessThanOrEqual(1);
    isSubset(submits.lost, ["409 invalid_state"]);
    isSubset(cancels.lost, ["409 invalid_state"]);
    const wasSubmitted = submits.won === 1;
    const record = await whenSettled(orderId);
    // A withdrawal may overtake the opening; then there is no case.
    const states = record.cases.map(([, state]) => state);
    expect(wasSubmitted ? [[], ["withdrawn"]] : [[]]).toContainEqual(states);
    expect(record).toMatchObject({ status: "cancelled", is_live: false });
    expect(record.moves.map(([, to]) => to)).toEqual(
      wasSubmitted ? ["in_review", "cancelled"] : ["cancelled"],
    );
    expect(record.messages["porting.review-requests"] ?? 0).toBe(wasSubmitted ? 2 : 0);
    expect(record.messages["porting.carrier-requests"]).toBeUndefined();
  });

  it.each(rounds)("delete and submit: it is deleted or in review (round %d)", async (round) => {
    const orderId = await desk.newReadyOrder();
    const [deletes, submits] = await race(
      round,
      api("DELETE", orderId),
      api("POST", `${orderId}/submit`),
    );
    expect(deletes.won + submits.won).toBe(1);
    const isGone = deletes.won === 1;
    const lost = isGone ? ["404 not_found"] : ["409 invalid_state"];
    expect([...new Set([...deletes.lost, ...submits.lost])]).toEqual(lost);
    const record = await whenSettled(orderId);
    expect(record).toMatchObject({
      cases: isGone ? [] : [[1, "open", null]],
      status: isGone ? "draft" : "in_review",
      is_deleted: isGone,
      is_live: !isGone,
      event_sequence: 2,
    });
    expect(record.messages["porting.review-requests"] ?? 0).toBe(isGone ? 0 : 1);
  });

  it.each(rounds)("a decision and cancel: each at most once (round %d)", async (round) => {
    const orderId = await desk.newCase();
    const decisions = (await requirementsOf(orderId))
      .filter(({ status }) => status === "requirement-info-under-review")
      .map(({ slug }) => ({ slug, decision: "approve" }));
    const decision = { confirm: true, decisions };
    const [decided, cancels] = await race(
      round,
      () => desk.desk("POST", `/reviews/${orderId}/decision`, decision),
      api("POST", `${orderId}/cancel`, () => ({})),
    );
    expect(cancels.won).toBe(1);
    expect(decided.won).toBeLessThanOrEqual(1);
    isSubset(decided.lost, ["409 already_decided"]);
    isSubset(cancels.lost, ["409 invalid_state"]);
    const record = await whenSettled(orderId);
    const [, state, outcome] = record.cases[0] ?? [];
    expect(state).toBe(decided.won === 1 ? "decided" : "withdrawn");
    expect(decided.won === 1 ? ["applied", "superseded"] : [null]).toContain(outcome);
    const wasSent = outcome === "applied";
    const approved = record.logged.filter(([, type]) => type === REQUIREMENT);
    expect(approved).toHaveLength(wasSent ? decisions.length : 0);
    expect(record.moves.map(([, to]) => to)).toEqual(
      wasSent ? ["in_review", "submitted", "cancel_pending"] : ["in_review", "cancelled"],
    );
    expect(record.messages["porting.carrier-requests"] ?? 0).toBe(wasSent ? 2 : 0);
    expect(record.messages["porting.review-results"] ?? 0).toBe(decided.won);
    expect(record.requirement_statuses).toEqual([
      wasSent ? "approved" : "requirement-info-under-review",
    ]);
  });

  it.each(rounds)(
    "PATCH of a field and submit: what is reviewed was written before (round %d)",
    async (round) => {
      const orderId = await desk.newReadyOrder();
      const { rewritten } = await readOrderRecord(desk.database, desk.product.topicPrefix, orderId);
      const path = `${orderId}/requirements/entity_name`;
      const [patches, submits] = await race(
        round,
        api("PATCH", path, (client) => ({ field_value: `Acme ${client}` })),
        api("POST", `${orderId}/submit`),
      );
      expect(submits.won).toBe(1);
      expect([...submits.lost]).toEqual(["409 invalid_state"]);
      isSubset(patches.lost, ["409 invalid_state"]);
      const record = await whenSettled(orderId);
      expect(record.rewritten - rewritten).toBe(patches.won);
      expect(record).toMatchObject({
        status: "in_review",
        requirement_statuses: ["requirement-info-under-review"],
        event_sequence: 2,
      });
      const written = patches.answers
        .filter((answer) => answer.status === 200)
        .map((answer) => answer.body?.["field_value"]);
      const kept = (await requirementsOf(orderId)).find(({ slug }) => slug === "entity_name");
      if (written.length > 0) expect(written).toContain(kept?.field_value);
    },
  );
});

describe("a decision", () => {
  it("is superseded when the customer's cancel overtakes it", async () => {
    const orderId = await desk.newCase();
    const { program } = desk.product.supervisor.service("order-lifecycle");
    program.pause();
    const decisions = [{ slug: "loa", decision: "reject", reason: "It is not legible." }];
    const decided = await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions });
    expect(decided.status).toBe(202);
    const path = `/v2/porting_orders/${orderId}`;
    expect((await desk.api("POST", `${path}/cancel`, {})).status).toBe(200);
    program.resume();
    await eventually(async () => {
      const { body } = await desk.desk("GET", `/reviews/${orderId}`);
      expect(body).toMatchObject({ state: "decided", outcome: "superseded" });
    });
    const timeline = dataOf(await desk.desk("GET", `/orders/${orderId}/timeline`));
    expect(timeline[0]).toMatchObject({ kind: "ignored", data: { decision_superseded: true } });
    const shown = dataOf(await desk.api("GET", `${path}/timeline`));
    expect(JSON.stringify(shown)).not.toContain("decision_superseded");
    expect((await desk.api("GET", path)).body?.["status"]).toBe("cancelled");
  });
});
