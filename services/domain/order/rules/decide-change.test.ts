import { describe, expect, it } from "@jest/globals";
import {
  COMMANDS,
  context,
  eventsOf,
  movesOf,
  run,
  statusUpdate,
} from "../../../../test/support/orders/order-commands.ts";
import { buildChange, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import type { DecisionContext } from "./effects.ts";
import { nextActionOf } from "./next-action.ts";
import type { OrderDecision } from "./order-decision.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR, type Order, type OrderChange } from "./order.ts";
import { versionInForce } from "./order-changes.ts";

const HOUR_MS = 3_600_000;
const FIRST = "+12125551234";
const SECOND = "+12125551235";
/** The orders' dates are on 12 November. */
const LATER = "2026-11-25T10:00:00-05:00";

const asking = (fields: Partial<OrderCommand & { command: "ask_for_change" }> = {}) =>
  ({
    command: "ask_for_change",
    id: "01a1fc57-b585-7195-84b0-0000000000c1",
    foc_requested: LATER,
    remove_phone_numbers: [],
    reason: "The office opens later.",
    cutoffMs: 48 * HOUR_MS,
    isTaken: true,
    ...fields,
  }) as const satisfies OrderCommand;

function ofTwo(fields: Partial<Order> = {}): Order {
  const order = orderIn("foc_scheduled", fields);
  const numbers = order.numbers.flatMap((one) => [one, { ...one, phone_number: SECOND }]);
  return { ...order, numbers };
}

const refusalOf = (order: Order, command: OrderCommand) => {
  const decision = decide(order, command, context);
  return decision.allowed ? null : decision.refusal;
};
const changesOf = ({ order }: OrderDecision) => order.changes;
const dateOf = (request_version: number, foc_at: string) =>
  statusUpdate({ kind: "date_moved", request_version, foc_at });
const silences = ({ effects }: OrderDecision) =>
  effects.filter((effect) => effect.effect === "wait" && effect.kind === "carrier_silence");

const asked = run(ofTwo(), asking({ remove_phone_numbers: [SECOND] }));

describe("a change that is asked for", () => {
  it("goes to the carrier as a supplement, and leaves the order as it is", () => {
    const { order } = asked;
    expect(asked.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "supplement" });
    expect(changesOf(asked)).toMatchObject([{ status: "pending", versions: [2] }]);
    expect(order).toMatchObject({
      ...{ status: "foc_scheduled", request_version: 2, foc_requested: null, attention: null },
      foc_actual: ofTwo().foc_actual,
    });
    expect(order.numbers).toHaveLength(2);
    expect(eventsOf(asked)).toEqual([]);
    expect(silences(asked)).toMatchObject([{ since: context.now }]);
  });

  it("alerts the desk where no program takes it to the carrier", () => {
    const { order } = run(ofTwo(), asking({ isTaken: false }));
    expect(order.attention?.reason).toMatch(/by mail or phone/);
    expect(run(order, dateOf(2, LATER)).order.attention).toBeNull();
  });

  it.each(ORDER_STATUSES)("is possible in %s only if the carrier has the order", (status) => {
    const refusal = refusalOf(orderIn(status), asking());
    const isPossible = ["submitted", "in_process", "foc_scheduled"].includes(status);
    const code = status === "activating" ? "change_too_late" : "invalid_state";
    expect(refusal?.code ?? null).toBe(isPossible ? null : code);
  });

  it("is too late close to the date", () => {
    const near = orderIn("foc_scheduled", { foc_actual: "2026-11-04T03:59:00-05:00" });
    expect(refusalOf(near, asking())).toMatchObject({ code: "change_too_late" });
    expect(refusalOf(near, asking({ cutoffMs: 47 * HOUR_MS }))).toBeNull();
  });

  it("is one at a time, and 20 in all", () => {
    expect(refusalOf(asked.order, asking())?.code).toBe("invalid_state");
    const changes = Array.from({ length: 20 }, () => buildChange({ status: "refused" }));
    expect(refusalOf(orderIn("submitted", { changes }), asking())?.code).toBe("quota_exceeded");
  });

  it("never takes out the last number, nor one that the order has not", () => {
    const codesFor = (remove_phone_numbers: readonly string[]) =>
      refusalOf(ofTwo(), asking({ remove_phone_numbers }))?.faults?.map(({ code }) => code);
    expect(codesFor([FIRST, SECOND])).toEqual(["last_number"]);
    expect(codesFor(["+12125559999"])).toEqual(["unknown_number"]);
  });
});

describe("the carrier's date", () => {
  it("accepts the change, whatever it is, and its event tells of date and numbers", () => {
    const foc = "2026-11-27T10:00:00-05:00";
    const accepted = run(asked.order, dateOf(2, foc));
    const { order } = accepted;
    expect(order).toMatchObject({ status: "foc_scheduled", foc_actual: foc, foc_requested: LATER });
    expect(order.numbers.map((one) => one.phone_number)).toEqual([FIRST]);
    expect(changesOf(accepted)).toMatchObject([{ status: "accepted", detail: null }]);
    expect(movesOf(accepted)).toEqual([["foc_scheduled", "foc_scheduled"]]);
    expect(silences(accepted)).toMatchObject([{ since: null }]);
    expect(versionInForce(order)).toBe(2);
  });

  it("accepts it too where it is the known one, and in a pending cancellation", () => {
    const same = run(asked.order, dateOf(2, asked.order.foc_actual ?? ""));
    expect(eventsOf(same)).toEqual(["porting_order.status_changed"]);
    expect(same.order.numbers).toHaveLength(1);
    const cancelling = run(asked.order, COMMANDS.customer_cancel);
    expect(changesOf(cancelling)).toMatchObject([{ status: "pending" }]);
    const noted = run(cancelling.order, dateOf(2, LATER));
    expect(changesOf(noted)).toMatchObject([{ status: "accepted" }]);
    const refused = statusUpdate({ kind: "cancel_refused", request_version: 2 });
    expect(run(noted.order, refused).order.foc_actual).toBe(LATER);
  });

  it("of the version before is none for the change, and moves the order as ever", () => {
    const submitted = run(orderIn("submitted"), asking()).order;
    const dated = run(submitted, dateOf(1, LATER));
    expect(dated.order.status).toBe("foc_scheduled");
    expect(changesOf(dated)).toMatchObject([{ status: "pending" }]);
  });
});

describe("a change that the carrier refuses", () => {
  const refused = run(
    asked.order,
    statusUpdate({ kind: "change_refused", request_version: 2, text: "Too close." }),
  );

  it("leaves the order as it was, and the carrier's comment tells why", () => {
    expect(changesOf(refused)).toMatchObject([{ status: "refused", detail: "Too close." }]);
    expect(refused.order).toMatchObject({ foc_actual: ofTwo().foc_actual, foc_requested: null });
    expect(eventsOf(refused)).toEqual(["porting_order.new_comment"]);
  });

  it("does not outdate the version before", () => {
    expect(versionInForce(refused.order)).toBe(1);
    const moving = run(refused.order, statusUpdate({ kind: "activating", request_version: 1 }));
    expect(moving.order.status).toBe("activating");
    const rejected = statusUpdate({ kind: "rejected", request_version: 1, code: "port_freeze" });
    expect(run(refused.order, rejected).order.status).toBe("rejection");
  });

  it("is refused once", () => {
    const again = run(refused.order, statusUpdate({ kind: "change_refused", request_version: 2 }));
    expect(again.effects).toMatchObject([{ effect: "timeline", kind: "ignored" }]);
  });
});

describe("a change that is withdrawn", () => {
  const withdraw = { command: "withdraw_change", id: buildChange().id, isTaken: true } as const;
  const withdrawn = run(asked.order, withdraw);

  it("sends the order as it is, in a version that outdates none", () => {
    expect(changesOf(withdrawn)).toMatchObject([{ status: "withdrawn", versions: [2, 3] }]);
    expect(withdrawn.order.request_version).toBe(3);
    expect(withdrawn.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "supplement" });
    expect(versionInForce(withdrawn.order)).toBe(1);
  });

  it("is not accepted by a date that crosses it, which is a fact all the same", () => {
    const crossed = run(withdrawn.order, dateOf(2, LATER));
    expect(changesOf(crossed)).toMatchObject([{ status: "withdrawn" }]);
    expect([crossed.order.foc_actual, crossed.order.numbers.length]).toEqual([LATER, 2]);
  });

  it("is pending, in an order that is not being cancelled", () => {
    expect(refusalOf(withdrawn.order, withdraw)?.code).toBe("invalid_state");
    const cancelling = run(asked.order, COMMANDS.customer_cancel).order;
    expect(refusalOf(cancelling, withdraw)?.code).toBe("invalid_state");
  });
});

describe("a change ends with its order:", () => {
  const changeAfter = (...commands: readonly OrderCommand[]): OrderChange | undefined =>
    commands.reduce((order, command) => run(order, command).order, asked.order).changes[0];
  const rejected = statusUpdate({ kind: "rejected", request_version: 2, code: "port_freeze" });
  const moving = statusUpdate({ kind: "activating", request_version: 1 });

  it.each([
    [
      "withdrawn by a cancellation",
      [COMMANDS.customer_cancel, COMMANDS.cancel_confirmed],
      "withdrawn",
    ],
    ["refused by a final refusal", [COMMANDS.carrier_refused], "refused"],
    ["refused by a rejection", [rejected], "refused"],
    ["refused by the move of its numbers", [moving], "refused"],
  ] as const)("%s", (_name, commands, status) => {
    expect(changeAfter(...commands)).toMatchObject({
      status,
      decided_at: context.now.toISOString(),
    });
  });
});

describe("a confirmed date before the requested one", () => {
  const wanted = "2026-11-20T10:00:00-05:00";
  const early = run(
    orderIn("in_process", { foc_requested: wanted }),
    statusUpdate({ kind: "date_confirmed", foc_at: "2026-11-12T10:00:00-05:00" }),
  );
  const waitsOf = ({ effects }: OrderDecision) =>
    effects.filter((effect) => effect.effect === "wait" && effect.kind === "date_confirmation");
  const overdue = { command: "date_confirmation", at: T0 } as const;

  it("waits to be confirmed, which asking for it does at once, even close to the date", () => {
    expect(waitsOf(early)).toMatchObject([{ since: context.now }]);
    const foc_requested = "2026-11-12T15:00:00Z";
    const confirmed = run(early.order, asking({ foc_requested, cutoffMs: 1_000 * HOUR_MS }));
    expect(changesOf(confirmed)).toMatchObject([{ status: "accepted", versions: [] }]);
    expect(confirmed.order).toMatchObject({ foc_requested, request_version: 1 });
    expect(confirmed.effects).not.toContainEqual(
      expect.objectContaining({ effect: "carrier_task" }),
    );
    expect(waitsOf(confirmed)).toMatchObject([{ since: null }]);
  });

  it("is asked to be moved to the requested one where nobody confirms it, once", () => {
    const again = run(early.order, overdue);
    expect(changesOf(again)).toMatchObject([{ status: "pending", foc_requested: wanted }]);
    expect(again.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "supplement" });
    const insisted = run(again.order, dateOf(2, "2026-11-13T10:00:00-05:00"));
    expect(changesOf(insisted)).toMatchObject([{ status: "accepted" }]);
    expect(waitsOf(insisted)).toEqual([]);
    expect(run(insisted.order, overdue).effects).toEqual([]);
  });

  it("leaves the customer half the time to a close date, and the desk is alerted at once", () => {
    const inProcess = orderIn("in_process", { foc_requested: wanted });
    const confirmMs = 24 * HOUR_MS;
    const carrier = { type: "carrier", id: null, name: "sandbox" } as const;
    const customer = { type: "customer", id: null, name: null } as const;
    const inHours = (hours: number) =>
      new Date(context.now.getTime() + hours * HOUR_MS).toISOString();
    const decided = (order: Order, command: OrderCommand, actor: DecisionContext["actor"]) => {
      const decision = decide(order, command, { actor, now: context.now, confirmMs });
      if (!decision.allowed) throw new Error(decision.refusal.detail);
      return decision;
    };
    const dated = (order: Order, hours: number) =>
      decided(order, statusUpdate({ kind: "date_moved", foc_at: inHours(hours) }), carrier);
    const dueIn = (decision: OrderDecision) =>
      waitsOf(decision).map((one) => {
        const since = one.effect === "wait" ? (one.since?.getTime() ?? 0) : 0;
        return (since + confirmMs - context.now.getTime()) / HOUR_MS;
      });
    const far = dated(inProcess, 60);
    expect([dueIn(far), far.order.attention]).toEqual([[24], null]);
    const close = dated(far.order, 20);
    expect(dueIn(close)).toEqual([10]);
    expect(close.order.attention?.reason).toMatch(/before the requested one/);
    expect(nextActionOf(close.order, new Map(), context.now).action).toBe("confirm_date");
    const restated = dated(close.order, 20);
    expect(restated.order.attention).toEqual(close.order.attention);
    const asked = decided(close.order, asking(), customer);
    expect([changesOf(asked), asked.order.attention]).toMatchObject([
      [{ status: "pending" }],
      null,
    ]);
    const again = decided(close.order, overdue, SYSTEM_ACTOR);
    expect(nextActionOf(again.order, new Map(), context.now).actor).toBe("desk");
  });

  it("can be answered by another date until it comes, whatever the cut-off", () => {
    const cutoffMs = 1_000 * HOUR_MS;
    expect(changesOf(run(early.order, asking({ cutoffMs })))).toMatchObject([
      { status: "pending" },
    ]);
    const passed = { ...early.order, foc_actual: T0.toISOString() };
    expect(refusalOf(passed, asking({ cutoffMs }))?.code).toBe("change_too_late");
    const known = { ...early.order, foc_requested: null };
    expect(refusalOf(known, asking({ cutoffMs }))?.code).toBe("change_too_late");
  });

  it("is asked by the desk where no program takes it to the carrier", () => {
    const { order } = run(early.order, { ...overdue, takes: () => false });
    expect(order.attention?.reason).toMatch(/by mail or phone/);
  });
});
