import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { SYSTEM_ACTOR, type Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";

function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, { actor: SYSTEM_ACTOR, now: T0 });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

const receive = (order: Order, fields: Parameters<typeof buildStatusUpdate>[0]): OrderDecision =>
  run(order, { command: "status_update", update: buildStatusUpdate(fields) });

/** The bodies of published comments among the types of the other events. */
function eventsOf({ effects }: OrderDecision): string[] {
  return effects.flatMap((effect) => {
    if (effect.effect !== "event") return [];
    return effect.type === "porting_order.new_comment"
      ? [effect.payload.comment.body]
      : [effect.type];
  });
}

const FREEZE = { code: "port_freeze", text: "frozen by the subscriber" } as const;
const FREEZE_COMMENT = "Line is locked: frozen by the subscriber";
const requirements = [buildRequirement({ slug: "pin_passcode", status: "approved" })];

describe("a carrier's rejection", () => {
  it("whose code names no requirement leaves the carrier's comment before the move", () => {
    const decision = receive(orderIn("submitted", { requirements }), {
      kind: "rejected",
      ...FREEZE,
    });
    expect(eventsOf(decision)).toEqual([FREEZE_COMMENT, "porting_order.status_changed"]);
    expect(decision.effects).toContainEqual({
      effect: "comment",
      comment: {
        id: buildStatusUpdate().reason_comment_id,
        author_type: "carrier",
        author_id: null,
        body: FREEZE_COMMENT,
      },
    });
    expect(decision.order.exceptions).toMatchObject([{ slug: null, detail: FREEZE.text }]);
  });

  it("whose code names one leaves none: the requirement takes the reason", () => {
    const decision = receive(orderIn("submitted", { requirements }), {
      kind: "rejected",
      code: "pin_invalid",
      text: "wrong",
    });
    expect(eventsOf(decision)).toEqual([
      "porting_order.requirement_updated",
      "porting_order.status_changed",
    ]);
    expect(decision.order.requirements).toMatchObject([{ exception_reason: "wrong" }]);
  });

  it("without a text has the catalogue's", () => {
    const decision = receive(orderIn("submitted"), { kind: "rejected", ...FREEZE, text: "" });
    expect(eventsOf(decision)[0]).toMatch(/^Line is locked: [A-Z].+\.$/);
  });

  it("that ends the order leaves one too, because no requirement takes it", () => {
    const decision = receive(orderIn("cancel_pending", { requirements }), {
      kind: "rejected",
      code: "pin_invalid",
      text: "wrong",
    });
    expect(eventsOf(decision)).toEqual(["PIN wrong: wrong", "porting_order.status_changed"]);
  });
});

describe("a carrier's final refusal", () => {
  const refusal = { kind: "refused", code: "number_not_portable", text: "It stays." } as const;
  const body = "Number not portable: It stays.";

  it.each(["submitted", "in_process", "foc_scheduled", "activating", "cancel_pending"] as const)(
    "in %s leaves the carrier's comment",
    (status) => {
      const decision = receive(orderIn(status, { requirements }), refusal);
      expect(eventsOf(decision)).toEqual([body, "porting_order.status_changed"]);
    },
  );

  it("leaves it beside the carrier's own comment", () => {
    const comment = { id: "01a1fc57-b585-7195-84b0-000000000009", body: "call us" };
    const decision = receive(orderIn("submitted"), { ...refusal, comment });
    expect(eventsOf(decision).slice(0, 2)).toEqual(["call us", body]);
  });

  it("leaves none where it moves nothing", () => {
    for (const order of [
      orderIn("cancelled"),
      orderIn("draft"),
      orderIn("in_process", { request_version: 2 }),
    ]) {
      expect(eventsOf(receive(order, refusal))).toEqual([]);
    }
  });
});

describe("a carrier that cancels", () => {
  const cancelled = { kind: "cancel_confirmed", ...FREEZE } as const;

  it("unasked leaves its reason", () => {
    expect(eventsOf(receive(orderIn("submitted"), cancelled))[0]).toBe(FREEZE_COMMENT);
  });

  it("because it was asked to leaves none", () => {
    expect(eventsOf(receive(orderIn("cancel_pending"), cancelled))).toEqual([
      "porting_order.status_changed",
    ]);
  });
});

describe("numbers that all failed", () => {
  it("leave one comment with a line for each code that names no requirement", () => {
    const numbers = ["+12125551234", "+12125551235"].map((phone_number) => ({
      ...{ phone_number, status: "activating" as const },
      ...{ failure_code: null, activated_at: null },
    }));
    const order = orderIn("activating", { numbers });
    const half = receive(order, {
      ...{ kind: "number_failed", phone_numbers: ["+12125551234"] },
      code: "sv_failure",
    });
    expect(eventsOf(half)).toEqual([]);
    const whole = receive(half.order, { kind: "number_failed", ...FREEZE });
    expect(eventsOf(whole)[0]).toMatch(/^[A-Z][^\n]+: [^\n]+\nLine is locked: frozen by/);
  });
});

describe("exceptions[] holds what is open", () => {
  const rejected = receive(orderIn("submitted"), { kind: "rejected", ...FREEZE }).order;

  it("and is emptied when the order is submitted again", () => {
    expect(rejected.exceptions).toHaveLength(1);
    expect(run(rejected, { command: "submit" }).order.exceptions).toEqual([]);
  });

  it("is empty once the numbers move or the order is closed", () => {
    expect(receive(rejected, { kind: "number_active" }).order.exceptions).toEqual([]);
    expect(receive(rejected, { kind: "refused", ...FREEZE }).order.exceptions).toEqual([]);
  });

  it("has one per slug that the desk rejected, its code null where none was given", () => {
    const order = orderIn("in_review", {
      requirements: ["entity_name", "pin_passcode"].map((slug) =>
        buildRequirement({ slug, status: "requirement-info-under-review" }),
      ),
    });
    const decisions = [
      { slug: "entity_name", code: null, reason: "Not legible." },
      { slug: "pin_passcode", code: "pin_invalid", reason: "Too short." },
    ].map((one) => ({ ...one, decision: "reject" as const }));
    const review = { command: "review", attempt: 1, decisions, confirm: false } as const;
    const { exceptions, requirements } = run(order, review).order;
    expect(exceptions).toMatchObject([
      { slug: "entity_name", code: null, detail: "Not legible.", raised_by: "desk" },
      { slug: "pin_passcode", code: "pin_invalid", detail: "Too short.", raised_by: "desk" },
    ]);
    expect(requirements.map((one) => one.exception_reason)).toEqual(["Not legible.", "Too short."]);
  });
});
