import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { nextActionOf } from "./next-action.ts";
import { SYSTEM_ACTOR, type Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";

const NUMBERS = ["+12125551234", "+12125551235"].map((phone_number) => ({
  phone_number,
  status: "pending" as const,
  failure_code: null,
  activated_at: null,
}));
const DATE = "2026-11-12T10:00:00-05:00";
const CANCEL: OrderCommand = { command: "cancel", by: "ops", reason: null, cutoffMs: 0 };

function run(order: Order, command: OrderCommand, now = T0): OrderDecision {
  const decision = decide(order, command, { actor: SYSTEM_ACTOR, now });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

/** An order after these status updates. */
function receive(
  order: Order,
  ...updates: Parameters<typeof buildStatusUpdate>[0][]
): OrderDecision {
  return updates.reduce<OrderDecision>(
    (decision, fields) =>
      run(decision.order, { command: "status_update", update: buildStatusUpdate(fields) }),
    { order, effects: [] },
  );
}

function eventsOf({ effects }: OrderDecision): string[] {
  return effects.flatMap((effect) => (effect.effect === "event" ? [effect.type] : []));
}

describe("a carrier's comment", () => {
  const comment = { id: "01a1fc57-b585-7195-84b0-000000000009", body: "call us" };

  it.each([
    ["with a status update of an older version", orderIn("submitted", { request_version: 2 })],
    ["after the order has ended", orderIn("completed")],
  ])("is published %s too", (_, order) => {
    const decision = receive(order, { kind: "acknowledged", request_version: 1, comment });
    expect(eventsOf(decision)).toEqual(["porting_order.new_comment"]);
    expect(decision.order.status).toBe(order.status);
    expect(decision.effects.at(-1)).toMatchObject({ effect: "timeline", kind: "ignored" });
  });
});

describe("the alert of an order that has ended", () => {
  const active: OrderCommand = {
    command: "status_update",
    update: buildStatusUpdate({ kind: "number_active" }),
  };
  const commentBy = (author_type: "customer" | "ops"): OrderCommand => ({
    command: "comment",
    comment: { id: T0.toISOString(), author_type, author_id: null, body: "It is yours." },
  });
  const alerted = run(orderIn("cancelled"), active).order;
  const actorAfter = (...commands: OrderCommand[]): string => {
    const order = commands.reduce((reached, one) => run(reached, one).order, alerted);
    return nextActionOf(order, new Map(), T0).actor;
  };

  it("stays until the desk says to the customer what became of it", () => {
    const late = { command: "status_update", update: buildStatusUpdate() } as const;
    expect(actorAfter(late, commentBy("customer"))).toBe("desk");
    expect(actorAfter(commentBy("ops"))).toBe("none");
    expect(actorAfter(commentBy("ops"), active)).toBe("desk");
  });

  it("of one that is open is not cleared so: it waits for the carrier", () => {
    const attention = { reason: "The carrier has not answered.", raised_at: T0.toISOString() };
    const { order } = run(orderIn("submitted", { attention }), commentBy("ops"));
    expect(order.attention).toEqual(attention);
  });
});

describe("numbers that failed while a cancellation was pending", () => {
  const waiting = (from: Order): Order => run(from, CANCEL).order;
  const failed = { kind: "number_failed", code: "sv_failure" } as const;

  it("return the order to the customer if the carrier starts the activation anyway", () => {
    const order = waiting(orderIn("foc_scheduled", { numbers: NUMBERS }));
    const decision = receive(order, failed, { kind: "activating" });
    expect(decision.order.status).toBe("rejection");
    expect(decision.order.exceptions.map((one) => one.code)).toEqual(["sv_failure"]);
    expect(decision.order.numbers).toEqual(NUMBERS);
  });

  it("are included again in the request that is being corrected", () => {
    const order = orderIn("rejection", { request_version: 1, numbers: NUMBERS });
    const decision = receive(waiting(order), failed, { kind: "cancel_refused" });
    expect([decision.order.status, decision.order.numbers]).toEqual(["rejection", NUMBERS]);
  });
});

describe("a moved date", () => {
  it("stands in the timeline beside the one before, and the event stays as it was", () => {
    const order = { ...orderIn("foc_scheduled"), foc_actual: "2026-11-18T10:00:00-05:00" };
    const foc_at = "2026-11-20T10:00:00-05:00";
    const { effects } = receive(order, { kind: "date_moved", foc_at });
    const statuses = { previous_status: "foc_scheduled", new_status: "foc_scheduled" };
    const dates = { previous_foc_actual: order.foc_actual, foc_actual: foc_at };
    const [noted] = effects.filter((one) => one.effect === "timeline");
    expect(noted?.data).toStrictEqual({ ...statuses, ...dates });
    const [event] = effects.filter((one) => one.effect === "event");
    expect(Object.keys(event?.payload ?? {})).toStrictEqual([
      "porting_order",
      "previous_status",
      "new_status",
    ]);
  });
});

describe("a date that was said before the one that is known", () => {
  const at = (minutes: number): Date => new Date(T0.getTime() - 3_600_000 + minutes * 60_000);
  const [early, late] = ["2026-11-18T10:00:00-05:00", "2026-11-20T10:00:00-05:00"];
  const moved = { kind: "date_moved", foc_at: late, occurred_at: at(20) } as const;
  const overtaken = { kind: "date_confirmed", foc_at: early, occurred_at: at(10) } as const;

  it("moves nothing, however late it comes, and one that is said later does", () => {
    const known = receive(orderIn("in_process"), moved).order;
    const decision = receive(known, overtaken);
    expect(decision.order).toEqual(known);
    expect(decision.effects).toMatchObject([{ effect: "timeline", kind: "ignored" }]);
    const later = receive(known, { ...overtaken, occurred_at: at(30) });
    expect([later.order.foc_actual, eventsOf(later)]).toEqual([
      early,
      ["porting_order.status_changed"],
    ]);
  });

  it("is not noted while a cancellation is pending either", () => {
    const order = run(receive(orderIn("in_process"), moved).order, CANCEL).order;
    expect(receive(order, overtaken).order.cancel?.noted_foc).toBeNull();
    const noted = receive(order, { ...moved, foc_at: early, occurred_at: at(30) });
    expect(noted.order.cancel?.noted_foc).toBe(early);
    const refused = receive(noted.order, overtaken, { kind: "cancel_refused" }).order;
    expect([refused.foc_actual, refused.foc_said_at]).toEqual([early, at(30)]);
  });

  it("holds for a request of its own: the next one begins without a date", () => {
    const known = receive(orderIn("in_process"), moved).order;
    const rejected = receive(known, { kind: "rejected", code: "sv_failure" }).order;
    expect([rejected.foc_actual, rejected.foc_said_at]).toEqual([null, null]);
  });
});

describe("a date that was noted while a cancellation was pending", () => {
  it("becomes the order's date if the carrier ports it anyway", () => {
    const order = run(orderIn("foc_scheduled"), CANCEL).order;
    const foc_at = "2026-11-20T10:00:00-05:00";
    const moved = receive(order, { kind: "date_moved", foc_at }, { kind: "activating" });
    expect([moved.order.status, moved.order.foc_actual]).toEqual(["activating", foc_at]);
  });
});

describe("the time at which a number became active", () => {
  const timesOf = ({ order, effects }: OrderDecision) => ({
    order: order.numbers.map((number) => number.activated_at),
    registered: effects.flatMap((one) =>
      one.effect === "number_active" ? [one.activated_at] : [],
    ),
    published: effects.flatMap((one) =>
      one.effect === "event" && one.type === "number.activated"
        ? [new Date(one.payload.activated_at)]
        : [],
    ),
  });
  const activate = (order: Order, occurred_at: Date): OrderDecision =>
    receive(order, { kind: "number_active", occurred_at });

  it("is the carrier's, in the order, in the account's numbers and in the event", () => {
    const occurred_at = new Date(T0.getTime() - 3_600_000);
    const decision = activate(orderIn("activating"), occurred_at);
    const times = [occurred_at];
    expect(timesOf(decision)).toEqual({ order: times, registered: times, published: times });
  });

  it("is that of each number's own report", () => {
    const [early, late] = [1, 2].map((hours) => new Date(T0.getTime() - 3_600_000 / hours));
    const order = orderIn("foc_scheduled", { numbers: NUMBERS });
    const decision = receive(
      order,
      ...[early, late].map((occurred_at = T0, n) => ({
        ...{ kind: "number_active" as const, occurred_at },
        phone_numbers: [NUMBERS[n]?.phone_number ?? ""],
      })),
    );
    expect(timesOf(decision)).toMatchObject({ order: [early, late], published: [early, late] });
  });

  it("is the time of receipt where the carrier's clock is ahead", () => {
    const decision = activate(orderIn("activating"), new Date(T0.getTime() + 60_000));
    expect(timesOf(decision)).toEqual({ order: [T0], registered: [T0], published: [T0] });
  });
});

describe("number failures", () => {
  const [first, second] = NUMBERS.map((one) => ({ ...one, status: "activating" as const }));
  const numbers = [first, second].filter((one) => one !== undefined);
  const order = orderIn("activating", { numbers });

  it("of a rejection after a number became active carry its code", () => {
    const decision = receive(
      order,
      { kind: "number_active", phone_numbers: ["+12125551234"] },
      { kind: "rejected", code: "port_freeze" },
    );
    expect(decision.order.status).toBe("completed_partial");
    expect(decision.order.numbers.map((one) => one.failure_code)).toEqual([null, "port_freeze"]);
  });

  it("have the carrier's text only for its own code", () => {
    const decision = receive(
      order,
      { kind: "number_failed", phone_numbers: ["+12125551234"], code: "pin_invalid" },
      {
        kind: "number_failed",
        phone_numbers: ["+12125551235"],
        code: "port_freeze",
        text: "frozen by the subscriber",
      },
    );
    expect(decision.order.exceptions.map((one) => one.detail)).toEqual([
      expect.stringContaining("PIN"),
      "frozen by the subscriber",
    ]);
  });
});

describe("the confirmed date of an order whose cancellation was refused", () => {
  const due_at = new Date(DATE);
  const reach: OrderCommand = { command: "foc_reached", at: due_at };
  const refused: OrderCommand = {
    command: "status_update",
    update: buildStatusUpdate({ kind: "cancel_refused" }),
  };
  const order = orderIn("foc_scheduled", { foc_actual: DATE });
  const deadlinesOf = ({ effects }: OrderDecision) =>
    effects.filter((effect) => effect.effect === "deadline");

  it("is not waited for again if the carrier was already asked to activate", () => {
    expect(run(order, reach, due_at).effects).toHaveLength(1);
    const cancelling = run(order, CANCEL, due_at).order;
    expect(deadlinesOf(run(cancelling, refused, due_at))).toEqual([]);
  });

  it("is waited for again if it came while the cancellation was pending", () => {
    const cancelling = run(order, CANCEL).order;
    const reached = run(cancelling, reach, due_at).order;
    expect(deadlinesOf(run(reached, refused, due_at))).toMatchObject([{ due_at }]);
  });

  it("is waited for if it is still to come", () => {
    const cancelling = run(order, CANCEL).order;
    expect(deadlinesOf(run(cancelling, refused))).toMatchObject([{ due_at }]);
  });
});

describe("rejection", () => {
  it("leaves the next action to the customer even while the desk is alerted", () => {
    const attention = { reason: "no status update", raised_at: T0.toISOString() };
    const rejected = buildRequirement({ status: "requirement-info-exception" });
    const order = orderIn("rejection", { attention, requirements: [rejected] });
    expect(nextActionOf(order, new Map(), T0)).toMatchObject({
      actor: "customer",
      action: "fix_requirement",
    });
    expect(nextActionOf(orderIn("submitted", { attention }), new Map(), T0).actor).toBe("desk");
  });
});
