import { describe, expect, it } from "@jest/globals";
import {
  buildOrder,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR, type Order, type OrderStatus } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";
import { TRIGGERS, targetsOf, type Trigger } from "./transitions.ts";

const context = { actor: SYSTEM_ACTOR, now: new Date(T0.getTime() + 1_000) };

const statusUpdate = (fields: Parameters<typeof buildStatusUpdate>[0]): OrderCommand => ({
  command: "status_update",
  update: buildStatusUpdate(fields),
});

/** desk_reject needs a requirement, and numbers_settled follows from other updates. */
type Commanded = Exclude<Trigger, "desk_reject" | "numbers_settled">;

const COMMANDS: Record<Commanded, OrderCommand> = {
  submit: { command: "submit" },
  desk_confirm: { command: "review", attempt: 1, decisions: [], confirm: true },
  customer_cancel: { command: "cancel", by: "customer", reason: null, cutoffMs: 0 },
  ops_close: { command: "cancel", by: "ops", reason: "asked by phone", cutoffMs: 0 },
  acknowledged: statusUpdate({ kind: "acknowledged" }),
  carrier_date: statusUpdate({ kind: "date_confirmed", foc_at: "2026-11-20T10:00:00-05:00" }),
  carrier_rejected: statusUpdate({ kind: "rejected", code: "pin_invalid" }),
  carrier_refused: statusUpdate({ kind: "refused" }),
  activating: statusUpdate({ kind: "activating" }),
  number_active: statusUpdate({ kind: "number_active" }),
  number_failed: statusUpdate({ kind: "number_failed", code: "sv_failure" }),
  cancel_confirmed: statusUpdate({ kind: "cancel_confirmed" }),
  cancel_refused: statusUpdate({ kind: "cancel_refused" }),
};

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

function run(order: Order, command: OrderCommand): OrderDecision {
  const decision = decide(order, command, context);
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

function movesOf({ effects }: OrderDecision): [string, string][] {
  return effects.flatMap((effect) =>
    effect.effect === "event" && effect.type === "porting_order.status_changed"
      ? [[effect.payload.previous_status, effect.payload.new_status] as [string, string]]
      : [],
  );
}

function eventsOf({ effects }: OrderDecision): string[] {
  return effects.flatMap((effect) => (effect.effect === "event" ? [effect.type] : []));
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

describe("cancellation", () => {
  const cancel = (by: "customer" | "ops"): OrderCommand => ({
    command: "cancel",
    by,
    reason: null,
    cutoffMs: 48 * 3_600_000,
  });

  it("withdraws the open case and asks the carrier that has the order", () => {
    const decision = run(orderIn("in_review", { request_version: 1 }), cancel("customer"));
    expect(decision.order.status).toBe("cancel_pending");
    expect(decision.effects).toContainEqual(
      expect.objectContaining({ effect: "review_request", kind: "withdraw_case" }),
    );
    expect(decision.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "cancel" });
  });

  it("is too late for a customer close to the date, never for ops", () => {
    const near = orderIn("foc_scheduled", { foc_actual: "2026-11-03T10:00:00-05:00" });
    const decision = decide(near, cancel("customer"), context);
    expect(!decision.allowed && decision.refusal.code).toBe("cancel_too_late");
    expect(run(near, cancel("ops")).order.status).toBe("cancel_pending");
  });

  it("is closed by whoever requested it, or by the provider if nobody did", () => {
    const asked = run(orderIn("submitted"), cancel("ops")).order;
    expect(run(asked, COMMANDS.carrier_refused).order.closed_by).toBe("ops");
    expect(run(orderIn("submitted"), COMMANDS.carrier_refused).order.closed_by).toBe("provider");
    expect(run(asked, cancel("ops")).order.closed_by).toBe("ops");
  });

  it("once refused, continues from the steps noted in the meantime", () => {
    const pending = run(orderIn("submitted"), cancel("customer")).order;
    const dated = run(pending, COMMANDS.carrier_date);
    expect(eventsOf(dated)).toEqual([]);
    const back = run(dated.order, COMMANDS.cancel_refused).order;
    expect([back.status, back.foc_actual]).toEqual(["foc_scheduled", "2026-11-20T10:00:00-05:00"]);
  });

  it("once refused under review, opens a new case", () => {
    const order = orderIn("in_review", { request_version: 1, review_attempt: 2 });
    const back = run(run(order, cancel("customer")).order, COMMANDS.cancel_refused);
    expect(back.order.status).toBe("in_review");
    expect(back.effects.at(-1)).toEqual({
      effect: "review_request",
      kind: "open_case",
      attempt: 3,
    });
  });
});

describe("several numbers", () => {
  const numbers = ["+12125551234", "+12125551235"].map((phone_number) => ({
    phone_number,
    status: "activating" as const,
    failure_code: null,
    activated_at: null,
  }));
  const order = orderIn("activating", { numbers });
  const active = (number: string) =>
    statusUpdate({ kind: "number_active", phone_numbers: [number] });
  const failed = (number: string) =>
    statusUpdate({ kind: "number_failed", phone_numbers: [number], code: "sv_failure" });

  it("some active and the others failed: completed_partial, with events for the active ones", () => {
    const half = run(order, failed("+12125551234")).order;
    const decision = run(half, active("+12125551235"));
    expect(decision.order.status).toBe("completed_partial");
    expect(eventsOf(decision)).toEqual(["porting_order.status_changed", "number.activated"]);
  });

  it("all failed: back with the customer, pending again, an exception per code", () => {
    const decision = run(run(order, failed("+12125551234")).order, failed("+12125551235"));
    expect(decision.order.status).toBe("rejection");
    expect(decision.order.numbers.map((number) => number.status)).toEqual(["pending", "pending"]);
    expect(decision.order.exceptions.map((one) => one.code)).toEqual(["sv_failure"]);
    expect(decision.order.foc_actual).toBeNull();
  });

  it("a failed number that becomes active before the end counts as active", () => {
    const half = run(order, failed("+12125551234")).order;
    const mended = run(half, active("+12125551234")).order;
    expect(run(mended, active("+12125551235")).order.status).toBe("completed");
  });

  it("an end after one became active ends the others", () => {
    const half = run(order, active("+12125551234")).order;
    const cancelled = run(half, COMMANDS.cancel_confirmed).order;
    expect(cancelled.status).toBe("completed_partial");
    expect(cancelled.numbers.map((number) => number.status)).toEqual(["active", "cancelled"]);
    const rejected = run(half, COMMANDS.carrier_rejected).order;
    expect(rejected.numbers.map((number) => number.status)).toEqual(["active", "failed"]);
  });
});

describe("an active number after the end", () => {
  it("alerts the desk and changes no status", () => {
    const decision = run(orderIn("cancelled"), COMMANDS.number_active);
    expect(decision.order.status).toBe("cancelled");
    expect(decision.order.attention).not.toBeNull();
    expect(eventsOf(decision)).toEqual([]);
  });
});

describe("submit", () => {
  it("opens a case of the next attempt", () => {
    const decision = run(orderIn("rejection", { review_attempt: 2 }), { command: "submit" });
    expect(decision.order.review_attempt).toBe(3);
    expect(decision.effects).toContainEqual({
      effect: "review_request",
      kind: "open_case",
      attempt: 3,
    });
  });
});

describe("the desk's confirmation", () => {
  it("is refused for any attempt but the latest", () => {
    const decision = decide(
      orderIn("in_review", { review_attempt: 2 }),
      COMMANDS.desk_confirm,
      context,
    );
    expect(decision.allowed).toBe(false);
  });

  it("sends the first version as submit and every later one as supplement", () => {
    const kinds = [0, 1].map((version) =>
      run(orderIn("in_review", { request_version: version }), COMMANDS.desk_confirm),
    );
    expect(kinds.map((decision) => decision.order.request_version)).toEqual([1, 2]);
    expect(kinds.map((decision) => decision.effects.at(-1))).toEqual([
      { effect: "carrier_task", kind: "submit" },
      { effect: "carrier_task", kind: "supplement" },
    ]);
  });
});

describe("deletion", () => {
  it("of a draft publishes an event and keeps its status", () => {
    const decision = run(buildOrder(), { command: "delete", by: "customer" });
    expect(eventsOf(decision)).toEqual(["porting_order.deleted"]);
    expect(decision.order.deleted_at).toEqual(context.now);
  });

  it.each(ORDER_STATUSES.filter((status) => status !== "draft"))("is refused in %s", (status) => {
    const decision = decide(orderIn(status), { command: "delete", by: "customer" }, context);
    expect(decision.allowed).toBe(false);
  });
});

describe("a status update", () => {
  it("of an older version changes nothing", () => {
    const decision = run(orderIn("submitted", { request_version: 2 }), COMMANDS.acknowledged);
    expect(decision.order.status).toBe("submitted");
    expect(decision.order.provider_status).toBe("");
  });

  it("sets provider_status, but not when it is older than the last one", () => {
    const acknowledged = run(orderIn("submitted"), COMMANDS.acknowledged).order;
    expect(acknowledged.provider_status).toBe("RECEIVED");
    const earlier = buildStatusUpdate({ raw_status: "OLD", occurred_at: T0, kind: null });
    const decision = run(acknowledged, { command: "status_update", update: earlier });
    expect(decision.order.provider_status).toBe("RECEIVED");
  });

  it("with the same date is ignored, and with another date publishes a change with equal statuses", () => {
    const scheduled = run(orderIn("submitted"), COMMANDS.carrier_date);
    expect(movesOf(run(scheduled.order, COMMANDS.carrier_date))).toEqual([]);
    const moved = run(
      scheduled.order,
      statusUpdate({ kind: "date_moved", foc_at: "2026-11-23T10:00:00-05:00" }),
    );
    expect(movesOf(moved)).toEqual([["foc_scheduled", "foc_scheduled"]]);
    expect(moved.order.foc_actual).toBe("2026-11-23T10:00:00-05:00");
  });
});

describe("the confirmed date", () => {
  const due = new Date("2026-11-12T10:00:00-05:00");

  it("asks the carrier to activate when it is reached", () => {
    const decision = run(orderIn("foc_scheduled"), { command: "foc_reached", at: due });
    expect(decision.effects).toEqual([{ effect: "carrier_task", kind: "activate" }]);
  });

  it("asks nothing if the date was moved or the order has moved on", () => {
    const moved = orderIn("foc_scheduled", { foc_actual: "2026-11-13T10:00:00-05:00" });
    const went = orderIn("activating");
    for (const order of [moved, went]) {
      expect(run(order, { command: "foc_reached", at: due }).effects).toEqual([]);
    }
  });
});
