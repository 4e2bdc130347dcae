import { describe, expect, it } from "@jest/globals";
import { orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { awaitedTimeOf, dueTimesOfDrafts, expiryOf } from "./due-times.ts";
import { nextActionOf } from "./next-action.ts";
import { ORDER_STATUSES } from "./order.ts";

const DAY_MS = 86_400_000;
const spans = { draft_expiry: 30 * DAY_MS, rejection_expiry: 0 };
const NONE = { expiry: null, attempt: null, port_out_ref: null };

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
