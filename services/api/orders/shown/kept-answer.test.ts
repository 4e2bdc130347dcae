import { describe, expect, it } from "@jest/globals";
import { buildOrder } from "../../../../test/support/orders/order-factory.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import { untouched } from "../../../domain/requirement/rules/asked-requirement.ts";
import { holds, makeAnswer } from "./kept-answer.ts";
import { listedOrder, READINESS } from "./order-view.ts";

const NOW = new Date("2026-11-24T12:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const nowMs = NOW.getTime();

function answerOf(order: Order, view = listedOrder()) {
  return makeAnswer({ order, version: "7 1" }, { view, due: new Map(), now: NOW });
}

/** An order with a document that is this old, of the 30 days that it may be. */
function withDocument(ageMs: number): Order {
  const asked = {
    slug: "invoice",
    field_type: "document",
    mandatory: true,
    max_age_days: 30,
  } as const;
  const document_date = new Date(nowMs - ageMs);
  return buildOrder({ requirements: [{ ...untouched(asked), document_date }] });
}

describe("an answer that is kept", () => {
  it("holds for its version alone, and for a minute", () => {
    const answer = answerOf(buildOrder());
    expect(holds(answer, "7 1", nowMs)).toBe(true);
    expect(holds(answer, "8 1", nowMs)).toBe(false);
    expect(holds(answer, "7 1", nowMs + MINUTE_MS)).toBe(true);
    expect(holds(answer, "7 1", nowMs + MINUTE_MS + 1)).toBe(false);
    expect(holds(answer, "7 1", nowMs - 1)).toBe(false);
  });

  it.each([listedOrder(), READINESS])("holds until a document becomes too old: $name", (view) => {
    const answer = answerOf(withDocument(30 * DAY_MS - 1_000), view);
    expect(holds(answer, "7 1", nowMs + 1_000)).toBe(true);
    expect(holds(answer, "7 1", nowMs + 1_001)).toBe(false);
  });

  it("holds for its whole minute where the document has been too old before", () => {
    const answer = answerOf(withDocument(30 * DAY_MS + 1_000));
    expect(holds(answer, "7 1", nowMs + MINUTE_MS)).toBe(true);
  });

  it("tells that its due time is a case's, or a port-out's, and that a draft's is its own", () => {
    expect(answerOf(buildOrder()).awaited).toBeNull();
    const inReview = buildOrder({ status: "in_review", review_attempt: 2 });
    expect(answerOf(inReview).awaited).toMatchObject({ order_id: inReview.id, attempt: 2 });
    expect(answerOf(inReview, READINESS).awaited).toBeNull();
    const fromHere = buildOrder({ status: "submitted", provider: "platform", request_version: 1 });
    expect(answerOf(fromHere).awaited?.port_out_ref).toEqual(expect.any(String));
  });
});
