import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { partsOf } from "./decide-split.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { whyWithDesk } from "./desk-owned.ts";
import { nextActionOf } from "./next-action.ts";
import type { Order } from "./order.ts";

const DESK = { type: "desk", id: "01a1fc57-b585-7195-84b0-0000000000d1", name: "Ana" } as const;
const CUSTOMER = { type: "customer", id: null, name: null } as const;
const COMMENT = {
  id: "01a1fc57-b585-7195-84b0-0000000000c1",
  author_type: "ops",
  author_id: DESK.id,
  body: "Send the latest invoice.",
} as const;

function run(order: Order, command: OrderCommand) {
  const decision = decide(order, command, { actor: DESK, now: T0 });
  if (!decision.allowed) throw new Error(`${decision.refusal.code}: ${decision.refusal.detail}`);
  return decision;
}

const invoice = buildRequirement({ slug: "invoice", status: "approved", has_value: true });

/** An order that its carrier has rejected with the code. */
function rejected(code: string) {
  const sent = orderIn("in_process", { requirements: [invoice], submitted_at: T0 });
  const update = buildStatusUpdate({ kind: "rejected", code, text: "Two accounts." });
  return run(sent, { command: "status_update", update });
}

const waitsOf = ({ effects }: ReturnType<typeof run>) =>
  effects.flatMap((one) => (one.effect === "wait" ? [[one.kind, one.since]] : []));

describe("an order that is rejected for what the desk owns", () => {
  it("waits for the desk, with an alert, and does not expire", () => {
    const decision = rejected("different_accounts");
    const { order } = decision;
    expect(order.status).toBe("rejection");
    expect(order.attention?.reason).toBe("Two accounts.");
    expect(nextActionOf(order, new Map(), T0)).toEqual({
      ...{ actor: "desk", action: "handle_exception", due_at: null },
    });
    expect(waitsOf(decision)).not.toContainEqual(["rejection_expiry", T0]);
    const late = run(order, { command: "rejection_expiry", at: T0 });
    expect(late.order.status).toBe("rejection");
  });

  it("waits for the customer where the code is the customer's", () => {
    const decision = rejected("account_number_mismatch");
    expect(nextActionOf(decision.order, new Map(), T0).actor).toBe("customer");
    expect(waitsOf(decision)).toContainEqual(["rejection_expiry", T0]);
  });

  it("can be submitted again by the desk, which notes why for colleagues", () => {
    const { order } = rejected("carrier_unresponsive");
    const { effects, ...again } = run(order, { command: "resubmit", note: "They have it now." });
    expect(again.order).toMatchObject({ status: "in_review", exceptions: [], attention: null });
    const data = { author_type: "ops", body: "They have it now." };
    expect(effects).toContainEqual({
      ...{ effect: "timeline", kind: "comment", data, internal: true },
    });
  });

  it("can be handed over to the customer, for a field, and expires from then on", () => {
    const { order } = rejected("lsr_pending");
    const handed = run(order, {
      ...{ command: "hand_over", code: "other", slug: "invoice", comment: COMMENT },
    });
    expect(handed.order.exceptions).toMatchObject([{ slug: "invoice", raised_by: "desk" }]);
    expect(handed.order.requirements[0]).toMatchObject({
      ...{ status: "requirement-info-exception", exception_reason: COMMENT.body },
    });
    expect(nextActionOf(handed.order, new Map(), T0).action).toBe("fix_requirement");
    expect(waitsOf(handed)).toContainEqual(["rejection_expiry", T0]);
    const types = handed.effects.flatMap((one) => (one.effect === "event" ? [one.type] : []));
    expect(types).toEqual(["porting_order.requirement_updated"]);
  });

  it("is told by a comment where no field takes the reason", () => {
    const { order } = rejected("lsr_pending");
    const handed = run(order, {
      ...{ command: "hand_over", code: "port_freeze", slug: null, comment: COMMENT },
    });
    expect(nextActionOf(handed.order, new Map(), T0).action).toBe("submit_again");
    const types = handed.effects.flatMap((one) => (one.effect === "event" ? [one.type] : []));
    expect(types).toEqual(["porting_order.new_comment"]);
  });

  it("is in no hands but the desk's until that has settled it, and can be cancelled", () => {
    const { order } = rejected("split_required");
    const document_id = "01a1fc57-b585-7195-84b0-0000000000d9";
    const content = { kind: "document", document_id, document_date: T0, check: "passed" } as const;
    const signing = { document_id, sha256: "", signer_name: "Ada", signed_at: T0 };
    for (const command of [
      { command: "submit" },
      { command: "requirement_changed", slug: "invoice", content },
      { command: "loa_signed", ...signing },
      { command: "patch", patch: { foc_requested: null } },
    ] as const) {
      const decision = decide(order, command, { actor: CUSTOMER, now: T0 });
      const refusal = { code: "invalid_state", detail: expect.stringContaining("split_required") };
      expect(decision).toMatchObject({ allowed: false, refusal });
    }
    run(order, { command: "patch", patch: { customer_reference: "MOVE-7" } });
    const cancelled = run(order, { command: "cancel", by: "customer", reason: null, cutoffMs: 0 });
    expect(cancelled.order.status).toBe("cancel_pending");
    expect(whyWithDesk(rejected("pin_invalid").order)).toBeNull();
  });

  it("is the only one that the desk can submit or hand over", () => {
    const { order } = rejected("account_number_mismatch");
    for (const command of [
      { command: "resubmit", note: "x" },
      { command: "hand_over", code: "other", slug: null, comment: COMMENT },
    ] as const) {
      const decision = decide(order, command, { actor: DESK, now: T0 });
      expect(decision).toMatchObject({ allowed: false, refusal: { code: "invalid_state" } });
    }
  });
});

describe("an order that the desk splits", () => {
  const first = "+12125551234";
  const second = "+12125551299";
  const { order } = rejected("different_accounts");
  const numbers = order.numbers.flatMap((one) => [one, { ...one, phone_number: second }]);
  const both = { ...order, numbers };
  const split = { command: "split", ids: ["new"], note: "Two accounts." } as const;
  const groups = [[first], [second]];

  it("keeps the first group and is submitted again, and its event names all parts", () => {
    const decision = run(both, { ...split, groups });
    expect(decision.order).toMatchObject({ status: "in_review", exceptions: [] });
    expect(decision.order.numbers.map((one) => one.phone_number)).toEqual([first]);
    const told = decision.effects.find(
      (one) => one.effect === "event" && one.type === "porting_order.split",
    );
    expect(told).toMatchObject({
      payload: {
        porting_orders: [
          { id: order.id, phone_numbers: [first] },
          { id: "new", phone_numbers: [second] },
        ],
      },
    });
  });

  it("has parts that begin as drafts, reviewed as often, and can be submitted", () => {
    const [part] = partsOf(both, { ...split, groups }, T0);
    expect(part).toMatchObject({ status: "draft", request_version: 0, event_sequence: 0 });
    expect(part?.numbers.map((one) => one.phone_number)).toEqual([second]);
    const later = new Date(T0.getTime() + 90 * 86_400_000);
    const submitted = decide(part ?? both, { command: "submit" }, { actor: DESK, now: later });
    expect(submitted.allowed && submitted.order.status).toBe("in_review");
  });

  it("has a billing number reviewed again that goes with another part", () => {
    const billing = buildRequirement({
      ...{ slug: "billing_phone_number", status: "approved", has_value: true },
      shown_value: second,
    });
    const billed = { ...both, requirements: [invoice, billing] };
    const kept = run(billed, { ...split, groups });
    expect(kept.order.requirements.map(({ status }) => status)).toEqual([
      "approved",
      "requirement-info-under-review",
    ]);
    const [part] = partsOf(billed, { ...split, groups }, T0);
    expect(part?.requirements.map(({ status }) => status)).toEqual(["approved", "approved"]);
    const [other] = partsOf(billed, { ...split, groups: [[second], [first]] }, T0);
    expect(other?.requirements[1]?.status).toBe("requirement-info-pending");
  });

  it("has each of its numbers in one group, and is in the desk's hands", () => {
    const codesOf = (wrong: readonly (readonly string[])[]) => {
      const decision = decide(both, { ...split, groups: wrong }, { actor: DESK, now: T0 });
      return decision.allowed ? [] : decision.refusal.faults?.map(({ code }) => code);
    };
    expect(codesOf([[first], [first]])).toEqual(["duplicate_number", "missing_number"]);
    expect(codesOf([[first, second], ["+12125550000"]])).toEqual(["unknown_number"]);
    const customers = { ...rejected("pin_invalid").order, numbers };
    const refused = decide(customers, { ...split, groups }, { actor: DESK, now: T0 });
    expect(!refused.allowed && refused.refusal.code).toBe("invalid_state");
  });
});
