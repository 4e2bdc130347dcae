import { describe, expect, it } from "@jest/globals";
import {
  buildChange,
  buildRequirement,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { areMet } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import { decideSubmit } from "./decide-customer.ts";
import { awaitedTimeOf, dueTimesOfDrafts, expiryOf, nextActionOf } from "./next-action.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR } from "./order.ts";

const DAY_MS = 86_400_000;
const invoice = buildRequirement({
  slug: "invoice",
  field_type: "document",
  document_date: T0,
  max_age_days: 30,
});
const NOTHING_DUE = new Map<string, Date>();
const inTime = new Date(T0.getTime() + 30 * DAY_MS);
const tooLate = new Date(inTime.getTime() + 1);

describe("the next action", () => {
  it("in draft is submit until a document is too old", () => {
    const order = orderIn("draft", { requirements: [invoice] });
    const submit = { actor: "customer", action: "submit" };
    expect(nextActionOf(order, NOTHING_DUE, inTime)).toMatchObject(submit);
    const late = { actor: "customer", action: "fix_requirement" };
    expect(nextActionOf(order, NOTHING_DUE, tooLate)).toMatchObject(late);
    const incomplete = {
      ...order,
      requirements: [invoice, buildRequirement({ has_value: false })],
    };
    expect(nextActionOf(incomplete, NOTHING_DUE, tooLate)).toMatchObject(late);
  });

  it.each<Partial<OrderRequirement>>([
    {},
    { has_value: false },
    { check_state: "checking" },
    { check_state: "failed" },
    { mandatory: false, has_value: false },
    { mandatory: false, check_state: "checking" },
    { mandatory: false, check_state: "failed" },
  ])("in draft is submit only where the order can be submitted: %j", (fields) => {
    const requirements = [buildRequirement(), buildRequirement({ slug: "csr", ...fields })];
    const order = orderIn("draft", { requirements, requirements_status: areMet(requirements) });
    const { allowed } = decideSubmit(order, {}, { actor: SYSTEM_ACTOR, now: T0 });
    const action = allowed ? "submit" : "complete_requirements";
    expect(nextActionOf(order, NOTHING_DUE, T0)).toMatchObject({ actor: "customer", action });
  });

  // (docs/contract/customer-api.md, Transitions)
  it("in rejection is submit_again where no field is in exception, whatever else blocks it", () => {
    const failed = buildRequirement({ mandatory: false, check_state: "failed" });
    const order = orderIn("rejection", { requirements: [invoice, failed] });
    const again = { actor: "customer", action: "submit_again" };
    expect(nextActionOf(order, NOTHING_DUE, inTime)).toMatchObject(again);
    expect(nextActionOf(order, NOTHING_DUE, tooLate)).toMatchObject(again);
    const rejected = buildRequirement({ status: "requirement-info-exception" });
    const toFix = { ...order, requirements: [invoice, rejected] };
    const fix = { actor: "customer", action: "fix_requirement" };
    expect(nextActionOf(toFix, NOTHING_DUE, inTime)).toMatchObject(fix);
  });

  it("is not the customer's for the age of a document that the desk or the carrier has", () => {
    for (const status of ["in_review", "submitted", "foc_scheduled", "completed"] as const) {
      const order = orderIn(status, { requirements: [invoice] });
      expect(nextActionOf(order, NOTHING_DUE, tooLate)).toEqual(
        nextActionOf(order, NOTHING_DUE, inTime),
      );
    }
  });
});

const spans = { draft_expiry: 30 * DAY_MS, rejection_expiry: 0, date_confirmation: 0 };
const NONE = { expiry: null, attempt: null, port_out_ref: null };

describe("a confirmed date before the requested one", () => {
  const early = orderIn("foc_scheduled", { foc_requested: "2026-11-20T10:00:00-05:00" });
  const inADay = new Date(T0.getTime() + DAY_MS);

  it("is the customer's to confirm, until the carrier is asked again or the date comes", () => {
    expect(awaitedTimeOf(early).expiry).toBe("date_confirmation");
    expect(nextActionOf(early, new Map([[early.id, inADay]]), T0)).toEqual({
      actor: "customer",
      action: "confirm_date",
      due_at: inADay.toISOString(),
    });
    expect(nextActionOf(early, new Map(), T0).due_at).toBe("2026-11-12T15:00:00.000Z");
  });

  it("is nobody's to confirm while the carrier is asked for a change, nor where it is as requested or later", () => {
    for (const fields of [
      { changes: [buildChange()] },
      { foc_requested: "2026-11-12T15:00:00Z" },
      { foc_requested: "2026-11-10T10:00:00-05:00" },
    ]) {
      const order = orderIn("foc_scheduled", { ...early, ...fields });
      expect(nextActionOf(order, new Map(), T0).action).toBe("wait_for_activation");
      expect(awaitedTimeOf(order).expiry).toBeNull();
    }
  });
});

describe("next_action.due_at", () => {
  const later = new Date("2026-11-30T09:00:00.000Z");

  it.each(["foc_scheduled", "activating"] as const)("is foc_actual in UTC in %s", (status) => {
    const { due_at } = nextActionOf(orderIn(status), new Map(), T0);
    expect(due_at).toBe("2026-11-12T15:00:00.000Z");
  });

  it.each(["draft", "rejection", "in_review", "submitted", "in_process"] as const)(
    "is the stored time in %s",
    (status) => {
      const order = orderIn(status);
      expect(nextActionOf(order, new Map([[order.id, later]]), T0).due_at).toBe(
        later.toISOString(),
      );
    },
  );

  it("does not depend on who is to act", () => {
    const attention = { reason: "silence", raised_at: "" };
    const { action, due_at } = nextActionOf(orderIn("foc_scheduled", { attention }), new Map(), T0);
    expect([action, due_at]).toEqual(["handle_exception", "2026-11-12T15:00:00.000Z"]);
  });

  it.each(["completed", "completed_partial", "cancel_pending", "cancelled"] as const)(
    "is null in %s, where nothing happens by itself",
    (status) => {
      expect(nextActionOf(orderIn(status), new Map(), T0).due_at).toBeNull();
    },
  );
});

describe("what happens by itself", () => {
  it.each(ORDER_STATUSES)("is read for an order in %s where it is stored", (status) => {
    const order = orderIn(status);
    const stored: Partial<Record<string, object>> = {
      draft: { expiry: "draft_expiry" },
      rejection: { expiry: "rejection_expiry" },
      in_review: { attempt: 1 },
    };
    expect(awaitedTimeOf(order)).toEqual({ order_id: order.id, ...NONE, ...stored[status] });
  });

  it.each(ORDER_STATUSES)("is the port-out's deadline at provider platform: %s", (status) => {
    const order = orderIn(status, { provider: "platform", request_version: 3 });
    const waits = status === "submitted" || status === "in_process";
    expect(awaitedTimeOf(order).port_out_ref).toBe(waits ? `${order.id}/3` : null);
  });

  it("is a new draft's expiry, unless that is switched off", () => {
    const draft = orderIn("draft");
    expect(dueTimesOfDrafts([draft], spans).get(draft.id)).toEqual(
      new Date(T0.getTime() + 30 * DAY_MS),
    );
    expect(dueTimesOfDrafts([draft], { ...spans, draft_expiry: 0 }).size).toBe(0);
    expect(expiryOf("rejection_expiry", T0, spans)).toBeNull();
  });
});
