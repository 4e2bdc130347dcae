import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { emptyNumberValue, withValues } from "../../requirement/rules/number-values.ts";
import type { NumberValue } from "../../requirement/rules/requirement.ts";
import { partsOf } from "./decide-split.ts";
import { decide, type OrderCommand } from "./decide.ts";
import type { OrderDecision } from "./order-decision.ts";
import { SYSTEM_ACTOR, type Order, type OrderStatus } from "./order.ts";

const [A, B, C] = ["+33612345601", "+33612345602", "+33612345603"] as const;
const REVIEW = "requirement-info-under-review";
const EXCEPTION = "requirement-info-exception";

function orderWith(
  status: OrderStatus,
  values: readonly Partial<NumberValue>[],
  more: Partial<Order> = {},
): Order {
  const rio = buildRequirement({ slug: "rio_code", scope: "number", status: "approved" });
  const numbers = [A, B, C].map((phone_number) => ({
    ...{ phone_number, status: "pending", failure_code: null, activated_at: null },
  })) as Order["numbers"];
  const own = [A, B, C].map((number, n) => ({ ...emptyNumberValue(number), ...values[n] }));
  return orderIn(status, { numbers, requirements: [withValues(rio, own)], ...more });
}

function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, { actor: SYSTEM_ACTOR, now: T0 });
  if (!decision.allowed) throw new Error(JSON.stringify(decision.refusal));
  return decision;
}

const statusesOf = ({ order }: OrderDecision) =>
  order.requirements[0]?.values.map(({ status }) => status);

const updatesOf = ({ effects }: OrderDecision) =>
  effects.flatMap((effect) =>
    effect.effect === "event" && effect.type === "porting_order.requirement_updated"
      ? [effect.payload.requirement]
      : [],
  );

const written = (values: Readonly<Record<string, string | null>>): OrderCommand => ({
  command: "requirement_changed",
  slug: "rio_code",
  content: { kind: "values", shown: new Map(Object.entries(values)) },
});

const review = (
  decisions: Extract<OrderCommand, { command: "review" }>["decisions"],
  confirm = false,
): OrderCommand => ({ command: "review", attempt: 1, decisions, confirm });

const verdict = (phone_number: string | null, decision: "approve" | "reject") => ({
  ...{ slug: "rio_code", phone_number, decision, code: null },
  reason: decision === "reject" ? "It is another's." : null,
});

const approved = { status: "approved", shown_value: "x" } as const;
const open = { status: REVIEW, shown_value: "x" } as const;

describe("values per number", () => {
  it("are given together or one after the other, and block the order until each number has one", () => {
    const first = run(orderWith("draft", []), written({ [A]: "a", [C]: "c" }));
    expect(first.order.requirements[0]).toMatchObject({ has_value: false, changed: true });
    const submit = decide(first.order, { command: "submit" }, { actor: SYSTEM_ACTOR, now: T0 });
    expect(submit).toMatchObject({
      refusal: {
        code: "not_ready",
        blocking: [{ slug: "rio_code", code: "missing", detail: expect.stringContaining(B) }],
      },
    });
    const all = run(first.order, written({ [B]: "b" }));
    const submitted = run(all.order, { command: "submit" });
    expect(statusesOf(submitted)).toEqual([REVIEW, REVIEW, REVIEW]);
  });

  it("are refused for a number that the order does not have", () => {
    const other = written({ "+33612345699": "x" });
    expect(decide(orderWith("draft", []), other, { actor: SYSTEM_ACTOR, now: T0 })).toMatchObject({
      refusal: { faults: [{ pointer: "#/field_values/+33612345699", code: "unknown_number" }] },
    });
  });

  it("leave with their number", () => {
    const order = orderWith("draft", [{ shown_value: "a" }, {}, { shown_value: "c" }]);
    const patch = { command: "patch", patch: { remove_phone_numbers: [B] } } as const;
    const [rio] = run(order, patch).order.requirements;
    expect(rio?.values.map(({ phone_number }) => phone_number)).toEqual([A, C]);
    expect(rio?.has_value).toBe(true);
  });

  it("go with their number into the order that the desk splits off", () => {
    const order = orderWith("rejection", [{ shown_value: "a" }, { shown_value: "b" }, {}]);
    const parts = partsOf(order, { groups: [[A, C], [B]], ids: ["", "part"], note: "x" }, T0);
    expect(parts[0]?.requirements[0]?.values).toMatchObject([
      { phone_number: B, shown_value: "b" },
    ]);
    expect(parts[0]?.requirements[0]?.has_value).toBe(true);
  });

  it("are approved one by one; the customer is told once, when all are", () => {
    const order = orderWith("in_review", [open, open, open], { review_attempt: 1 });
    const some = run(order, review([verdict(A, "approve"), verdict(B, "approve")]));
    expect([statusesOf(some), updatesOf(some)]).toEqual([["approved", "approved", REVIEW], []]);
    const all = run(some.order, review([verdict(C, "approve")], true));
    expect(updatesOf(all)).toEqual([{ slug: "rio_code", status: "approved", reason: null }]);
    expect(all.order.status).toBe("submitted");
  });

  it("are rejected one by one: that one alone is asked for again, and named", () => {
    const order = orderWith("in_review", [open, open, open], { review_attempt: 1 });
    const decided = run(order, review([verdict(A, "approve"), verdict(B, "reject")]));
    expect(statusesOf(decided)).toEqual(["approved", EXCEPTION, REVIEW]);
    const reason = `${B}: It is another's.`;
    expect(updatesOf(decided)).toEqual([{ slug: "rio_code", status: EXCEPTION, reason }]);
    expect(decided.order.exceptions).toMatchObject([{ slug: "rio_code", detail: reason }]);
    const corrected = run(decided.order, written({ [B]: "b" }));
    const again = run(corrected.order, { command: "submit" });
    expect(statusesOf(again)).toEqual(["approved", REVIEW, REVIEW]);
  });

  it("are rejected by a carrier for the numbers that it names, or else all", () => {
    const order = orderWith("in_process", [approved, approved, approved], { request_version: 1 });
    const update = buildStatusUpdate({ kind: "rejected", code: "carrier_id_invalid", text: "No." });
    const named = { ...update, phone_numbers: [C] };
    const by = (one: typeof update) => run(order, { command: "status_update", update: one });
    expect(statusesOf(by(named))).toEqual(["approved", "approved", EXCEPTION]);
    expect(statusesOf(by(update))).toEqual([EXCEPTION, EXCEPTION, EXCEPTION]);
  });
});
