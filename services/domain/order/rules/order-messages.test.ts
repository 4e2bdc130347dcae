import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import type { Actor, Order } from "./order.ts";
import { orderEventContext } from "./order-messages.ts";

const DESK: Actor = { type: "desk", id: "01a1fc57-b585-7195-84b0-00000000000a", name: "Ada" };
const CARRIER: Actor = { type: "carrier", id: null, name: "sandbox" };
const OCCURRED = new Date(T0.getTime() - 60_000);

/** The contexts of a decision's events, by type. */
function contextsOf(order: Order, command: OrderCommand, actor: Actor) {
  const decision = decide(order, command, { actor, now: T0 });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  const update = command.command === "status_update" ? command.update : null;
  const occasion = { actor, now: T0, update };
  return decision.effects.flatMap((effect) =>
    effect.effect === "event"
      ? [[effect.type, orderEventContext(decision.order, effect, occasion)] as const]
      : [],
  );
}

function rejectionsOf(...given: Parameters<typeof contextsOf>) {
  return contextsOf(...given).map(([type, { rejection }]) => [type, rejection]);
}

const statusUpdate = (fields: Parameters<typeof buildStatusUpdate>[0]): OrderCommand => ({
  command: "status_update",
  update: buildStatusUpdate({ occurred_at: OCCURRED, ...fields }),
});

describe("Event envelope: the provider and carrier of the order, and who moved it", () => {
  it("are reported with every event of an order", () => {
    const order = orderIn("draft", { losing_carrier: "Acme Telecom" });
    const customer: Actor = { type: "customer", id: null, name: null };
    expect(contextsOf(order, { command: "submit" }, customer)).toEqual([
      [
        "porting_order.status_changed",
        {
          provider: "sandbox",
          losing_carrier: "Acme Telecom",
          country_code: "US",
          number_type: "local",
          actor: "customer",
          occurred_at: null,
          rejection: null,
        },
      ],
    ]);
  });

  it("come with the time at which the carrier says that it happened", () => {
    const update = statusUpdate({ kind: "acknowledged" });
    const [told] = contextsOf(orderIn("submitted"), update, CARRIER);
    expect(told?.[1]).toMatchObject({ occurred_at: OCCURRED, actor: "carrier", rejection: null });
  });
});

describe("Event envelope: why it was rejected or refused", () => {
  it("is reported by the event of each requirement that the desk rejects, with its code", () => {
    const requirements = ["entity_name", "pin_passcode"].map((slug) =>
      buildRequirement({ slug, status: "requirement-info-under-review" }),
    );
    const decisions = [
      { slug: "entity_name", decision: "reject", code: "name_mismatch", reason: "Not on page 2" },
      { slug: "pin_passcode", decision: "reject", code: null, reason: "hunter is wrong" },
    ] as const;
    const review = { command: "review", attempt: 1, decisions, confirm: false } as const;
    const name = { code: "name_mismatch", slug: "entity_name", text: "Not on page •••" };
    expect(rejectionsOf(orderIn("in_review", { requirements }), review, DESK)).toEqual([
      ["porting_order.requirement_updated", name],
      ["porting_order.requirement_updated", { code: "other", slug: "pin_passcode", text: null }],
      ["porting_order.status_changed", name],
    ]);
  });

  it("is reported by the status where it concerns no requirement, and not by the steps before", () => {
    const update = statusUpdate({ kind: "rejected", code: "other", text: "line 42 is busy" });
    const rejections = rejectionsOf(orderIn("submitted"), update, CARRIER);
    expect(rejections.at(-1)).toEqual([
      "porting_order.status_changed",
      { code: "other", slug: null, text: "line ••• is busy" },
    ]);
    expect(rejections.slice(0, -1).map(([, rejection]) => rejection)).toEqual(
      rejections.slice(0, -1).map(() => null),
    );
  });

  it("is reported of a final refusal", () => {
    const update = statusUpdate({ kind: "refused", code: "not_portable", text: "no" });
    expect(rejectionsOf(orderIn("submitted"), update, CARRIER).at(-1)).toEqual([
      "porting_order.status_changed",
      { code: "not_portable", slug: null, text: "no" },
    ]);
  });

  it("is reported where only some numbers were activated", () => {
    const numbers = [
      { phone_number: "+12125551234", failure_code: "sv_failure", status: "failed" },
      { phone_number: "+12125551235", failure_code: null, status: "activating" },
    ].map((one) => ({ ...one, activated_at: null })) as unknown as Order["numbers"];
    const told = rejectionsOf(
      orderIn("activating", { numbers }),
      statusUpdate({ kind: "number_active" }),
      CARRIER,
    );
    expect(told[0]).toEqual([
      "porting_order.status_changed",
      { code: "sv_failure", slug: null, text: null },
    ]);
  });

  it("is not reported again when a customer cancels a rejected order", () => {
    const exceptions = [
      { code: "other", detail: "x", slug: null, raised_by: "carrier", raised_at: "2026-10-01" },
    ] as const;
    const cancel = { command: "cancel", by: "customer", reason: null, cutoffMs: 0 } as const;
    const customer: Actor = { type: "customer", id: null, name: null };
    const told = rejectionsOf(orderIn("rejection", { exceptions }), cancel, customer);
    expect(told).toEqual([["porting_order.status_changed", null]]);
  });
});
