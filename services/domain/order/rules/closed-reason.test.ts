import { describe, expect, it } from "@jest/globals";
import { buildStatusUpdate, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { findExceptionCode } from "./exception-catalogue.ts";
import { SYSTEM_ACTOR, type Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";

function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, { actor: SYSTEM_ACTOR, now: T0 });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

const cancel = (by: "customer" | "ops", reason: string | null): OrderCommand => ({
  command: "cancel",
  by,
  reason,
  cutoffMs: 0,
});

const report = (fields: Parameters<typeof buildStatusUpdate>[0]): OrderCommand => ({
  command: "status_update",
  update: buildStatusUpdate(fields),
});

const reasonAfter = (order: Order, ...commands: OrderCommand[]) =>
  commands.reduce((reached, command) => run(reached, command).order, order).closed_reason;

const REFUSED = report({
  kind: "refused",
  code: "number_not_portable",
  text: "This number stays where it is.",
});
const CONFIRMED = report({ kind: "cancel_confirmed" });
const CARRIERS = {
  code: "number_not_portable",
  detail: "This number stays where it is.",
  raised_by: "carrier",
};

describe("closed_reason", () => {
  it.each(["draft", "in_review", "submitted", "foc_scheduled", "rejection"] as const)(
    "is null while the order is open: %s",
    (status) => {
      expect(orderIn(status).closed_reason).toBeNull();
    },
  );

  it("has the customer's own words, at once or after the carrier confirmed", () => {
    const theirs = { code: null, detail: "wrong number", raised_by: "customer" };
    const asked = cancel("customer", "wrong number");
    expect(reasonAfter(orderIn("draft"), asked)).toEqual(theirs);
    expect(reasonAfter(orderIn("submitted"), asked)).toBeNull();
    expect(reasonAfter(orderIn("submitted"), asked, CONFIRMED)).toEqual(theirs);
    expect(reasonAfter(orderIn("submitted"), asked, REFUSED)).toEqual(theirs);
  });

  it("says so where the customer gave none", () => {
    expect(reasonAfter(orderIn("draft"), cancel("customer", null))).toEqual({
      code: null,
      detail: "The customer gave no reason.",
      raised_by: "customer",
    });
  });

  it("is that of whoever asked first", () => {
    const both = [cancel("customer", "wrong number"), cancel("ops", "stuck")];
    expect(reasonAfter(orderIn("submitted"), ...both)).toMatchObject({ detail: "wrong number" });
  });

  it("has the desk's reason", () => {
    const theirs = { code: null, detail: "asked by phone", raised_by: "desk" };
    expect(reasonAfter(orderIn("in_review"), cancel("ops", "asked by phone"))).toEqual(theirs);
  });

  it("names the canonical code and the text of a carrier that refused", () => {
    expect(reasonAfter(orderIn("submitted"), REFUSED)).toEqual(CARRIERS);
    const silent = report({ kind: "refused", code: "number_not_portable", text: "" });
    expect(reasonAfter(orderIn("submitted"), silent)).toEqual({
      ...CARRIERS,
      detail: findExceptionCode("number_not_portable").detail,
    });
  });

  it.each([
    ["refused", "refused the order"],
    ["cancel_confirmed", "cancelled the order"],
  ] as const)("of a carrier that %s without a reason says that", (kind, deed) => {
    expect(reasonAfter(orderIn("submitted"), report({ kind }))).toEqual({
      code: "other",
      detail: `The losing carrier ${deed} and gave no reason.`,
      raised_by: "carrier",
    });
  });

  it("says why the rest of the numbers was not ported", () => {
    const [number] = orderIn("activating").numbers;
    if (number === undefined) throw new Error("no number");
    const moving = { ...number, phone_number: "+12125551235" };
    const active = { ...number, status: "active", activated_at: T0 } as const;
    const order = orderIn("activating", { numbers: [active, moving] });
    const partly = run(order, REFUSED).order;
    expect([partly.status, partly.closed_reason]).toEqual(["completed_partial", CARRIERS]);
  });

  it("is null for a completed order", () => {
    const done = run(orderIn("activating"), report({ kind: "number_active" })).order;
    expect([done.status, done.closed_reason]).toEqual(["completed", null]);
  });

  it("names the expiry of a rejection, and of a draft", () => {
    const expire = { command: "rejection_expiry", at: T0 } as const;
    const expired = { code: "rejection_expired", raised_by: "system" };
    expect(reasonAfter(orderIn("rejection"), expire)).toMatchObject(expired);
    const sent = orderIn("rejection", { request_version: 1 });
    expect(reasonAfter(sent, expire, CONFIRMED)).toMatchObject(expired);
    expect(run(sent, expire).order.closed_by).toBeNull();
    const draft = { command: "draft_expiry", at: T0 } as const;
    expect(reasonAfter(orderIn("draft"), draft)).toMatchObject({
      code: "draft_expired",
      raised_by: "system",
    });
  });
});
