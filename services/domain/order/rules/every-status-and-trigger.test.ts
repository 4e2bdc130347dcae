import { describe, expect, it } from "@jest/globals";
import {
  COMMANDS,
  context,
  eventsOf,
  movesOf,
  run,
  type Commanded,
} from "../../../../test/support/orders/order-commands.ts";
import { orderIn } from "../../../../test/support/orders/order-factory.ts";
import { decide } from "./decide.ts";
import { ORDER_STATUSES, type Order, type OrderStatus } from "./order.ts";
import { TRIGGERS, targetsOf } from "./transitions.ts";

const TO_ACTIVATING: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
  submitted: ["in_process", "foc_scheduled", "activating"],
  in_process: ["foc_scheduled", "activating"],
  foc_scheduled: ["activating"],
};

/** The statuses through which each trigger leads an order with one number, never sent or sent once. */
function pathOf(trigger: Commanded, order: Order): readonly OrderStatus[] {
  const { status } = order;
  const sent = order.request_version > 0;
  const [only, second] = targetsOf(status, trigger);
  switch (trigger) {
    case "activating":
      return TO_ACTIVATING[status] ?? (only === undefined ? [] : [only]);
    case "number_active":
      if (status === "activating") return ["completed"];
      if (TO_ACTIVATING[status] !== undefined) return [...TO_ACTIVATING[status], "completed"];
      return only !== undefined && sent ? [only, "completed"] : [];
    case "number_failed":
      if (status === "activating") return ["rejection"];
      return TO_ACTIVATING[status] === undefined ? [] : [...TO_ACTIVATING[status], "rejection"];
    case "customer_cancel":
    case "ops_close":
      return only === undefined ? [] : [sent && second !== undefined ? second : only];
    case "carrier_refused":
    case "cancel_confirmed":
      return only === undefined || !sent ? [] : [only];
    case "change_refused":
      // No change is pending.
      return [];
    case "cancel_refused":
      return only === undefined ? [] : ["submitted"];
    case "acknowledged":
      return only === undefined || status === "cancel_pending" ? [] : [only];
    case "carrier_date":
      if (status === "submitted") return ["in_process", "foc_scheduled"];
      return only === undefined || status === "cancel_pending" ? [] : [only];
    case "submit":
    case "desk_confirm":
    case "carrier_rejected":
      return only === undefined ? [] : [only];
  }
}

const NOTED = ["acknowledged", "carrier_date", "number_failed"];

describe("every status and trigger", () => {
  const tried = TRIGGERS.filter(
    (trigger) => trigger !== "desk_reject" && trigger !== "numbers_settled",
  );
  const orders = ORDER_STATUSES.flatMap((status) =>
    [0, 1]
      .filter((version) => version === 1 || ["draft", "in_review", "rejection"].includes(status))
      .filter((version) => version === 0 || status !== "draft")
      .map((version) => orderIn(status, { request_version: version })),
  );
  const pairs = orders.flatMap((order) =>
    tried.map((trigger) => ({ from: order.status, sent: order.request_version, order, trigger })),
  );

  it.each(pairs)("$from (sent $sent) by $trigger follows the table", ({ from, order, trigger }) => {
    const path = pathOf(trigger, order);
    const decision = decide(order, COMMANDS[trigger], context);
    if (path.length > 0) {
      const decision = run(order, COMMANDS[trigger]);
      expect(decision.order.status).toBe(path.at(-1));
      const chain = [from, ...path];
      expect(movesOf(decision)).toEqual(path.map((to, n) => [chain[n], to]));
      return;
    }
    if (!decision.allowed) {
      const late = order.status === "activating" && trigger !== "submit";
      const cancelled = trigger === "customer_cancel" || trigger === "ops_close";
      const code = late && cancelled ? "cancel_too_late" : "invalid_state";
      expect(decision.refusal.code).toBe(code);
      return;
    }
    expect(decision.order.status).toBe(from);
    expect(eventsOf(decision)).toEqual([]);
    const noted = from === "cancel_pending" && NOTED.includes(trigger);
    expect(decision.effects.some((effect) => effect.effect === "timeline")).toBe(true);
    if (!noted) {
      expect(decision.effects).toContainEqual(
        expect.objectContaining({ effect: "timeline", kind: "ignored" }),
      );
    }
  });
});
