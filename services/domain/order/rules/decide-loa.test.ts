import { describe, expect, it } from "@jest/globals";
import { buildRequirement, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR, type Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";

const context = { actor: SYSTEM_ACTOR, now: new Date(T0.getTime() + 2_000) };

const SIGNING = {
  document_id: "01a1fc57-b585-7195-84b0-0000000000d0",
  sha256: "ab".repeat(32),
  signer_name: "Grace Hopper",
  signed_at: new Date(T0.getTime() + 1_000),
} as const;

const SIGN: OrderCommand = { command: "loa_signed", ...SIGNING };

const loa = buildRequirement({
  slug: "loa",
  field_type: "document",
  status: "requirement-info-exception",
  exception_reason: "not legible",
  has_value: false,
  shown_value: null,
});

const fields = { requirements: [loa, buildRequirement()] };

function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, context);
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

function refusalOf(order: Order) {
  const decision = decide(order, SIGN, context);
  return decision.allowed ? null : decision.refusal;
}

describe("signing the letter of authorization", () => {
  it.each(ORDER_STATUSES)("in %s is allowed only in draft and rejection", (status) => {
    const allowed = status === "draft" || status === "rejection";
    expect(refusalOf(orderIn(status, fields))?.code ?? null).toBe(allowed ? null : "invalid_state");
  });

  it("fills the field with a document that has passed its check, and publishes loa.signed", () => {
    const { order, effects } = run(orderIn("rejection", fields), SIGN);
    expect(order.requirements[0]).toMatchObject({
      status: "requirement-info-pending",
      exception_reason: null,
      has_value: true,
      document_id: SIGNING.document_id,
      document_date: SIGNING.signed_at,
      check_state: "passed",
      changed: true,
    });
    expect(order.requirements_status).toBe(true);
    expect(order.updated_at).toBe(context.now);
    expect(effects.map((effect) => effect.effect)).toEqual(["timeline", "timeline", "event"]);
    expect(effects.at(-1)).toEqual({
      effect: "event",
      type: "loa.signed",
      payload: {
        porting_order_id: order.id,
        document_id: SIGNING.document_id,
        sha256: SIGNING.sha256,
        signer_name: "Grace Hopper",
        signed_at: SIGNING.signed_at.getTime(),
      },
    });
  });

  it("is refused while a value that the letter must state is missing", () => {
    const missing = buildRequirement({ has_value: false, shown_value: null });
    const order = orderIn("draft", { requirements: [loa, missing] });
    expect(refusalOf(order)).toMatchObject({
      code: "not_ready",
      blocking: [{ slug: "entity_name", code: "missing" }],
    });
  });

  it("is refused if the order does not require a letter", () => {
    const order = orderIn("draft", { requirements: [buildRequirement()] });
    expect(refusalOf(order)?.code).toBe("invalid_state");
  });

  it("stays as it is when another field is corrected", () => {
    const signed = run(orderIn("draft", fields), SIGN).order;
    const content = { kind: "text", shown: "Acme Dental Inc." } as const;
    const rewrite = { command: "requirement_changed", slug: "entity_name", content } as const;
    const { order } = run(signed, rewrite);
    expect(order.requirements[0]).toEqual(signed.requirements[0]);
    expect(order.requirements[1]).toMatchObject({ shown_value: "Acme Dental Inc." });
  });
});
