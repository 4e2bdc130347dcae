import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildWord, orderIn, T0 } from "../../../test/support/order-factory.ts";
import type { OrderCommand } from "./decide.ts";
import { decide } from "./decide.ts";
import type { Order, OrderStatus } from "./order.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR } from "./order.ts";
import type { Story } from "./story.ts";
import type { Trigger } from "./transitions.ts";
import { TRIGGERS, targetsOf } from "./transitions.ts";

const context = { actor: SYSTEM_ACTOR, now: new Date(T0.getTime() + 1_000) };

const COMMANDS: Record<Trigger, OrderCommand> = {
  submit: { command: "submit" },
  desk_confirm: { command: "desk_confirm", attempt: 1 },
  acknowledged: { command: "carrier_word", word: buildWord() },
  carrier_date: {
    command: "carrier_word",
    word: buildWord({ kind: "date_confirmed", foc_at: "2026-11-20T10:00:00-05:00" }),
  },
  activating: { command: "carrier_word", word: buildWord({ kind: "activating" }) },
  number_active: { command: "carrier_word", word: buildWord({ kind: "number_active" }) },
};

/** Words of a carrier that go through the states between (spec/customer-api.md, after the table). */
const IMPLIED: Partial<Record<Trigger, Partial<Record<OrderStatus, readonly OrderStatus[]>>>> = {
  activating: {
    submitted: ["in_process", "foc_scheduled", "activating"],
    in_process: ["foc_scheduled", "activating"],
  },
  number_active: {
    submitted: ["in_process", "foc_scheduled", "activating", "completed"],
    in_process: ["foc_scheduled", "activating", "completed"],
    foc_scheduled: ["activating", "completed"],
    activating: ["completed"],
  },
};

function run(order: Order, command: OrderCommand): Story {
  const decision = decide(order, command, context);
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision;
}

function movesOf({ effects }: Story): [string, string][] {
  return effects.flatMap((effect) =>
    effect.effect === "event" && effect.type === "porting_order.status_changed"
      ? [[effect.payload.previous_status, effect.payload.new_status] as [string, string]]
      : [],
  );
}

function eventsOf({ effects }: Story): string[] {
  return effects.flatMap((effect) => (effect.effect === "event" ? [effect.type] : []));
}

describe("every status and trigger", () => {
  const pairs = ORDER_STATUSES.flatMap((from) => TRIGGERS.map((trigger) => ({ from, trigger })));

  it.each(pairs)("$from by $trigger follows the table", ({ from, trigger }) => {
    const order = orderIn(from);
    const path = IMPLIED[trigger]?.[from] ?? targetsOf(from, trigger);
    const decision = decide(order, COMMANDS[trigger], context);
    if (path.length === 0) {
      if (decision.allowed) {
        expect(decision.order.status).toBe(from);
        expect(movesOf(decision)).toEqual([]);
        expect(decision.effects).toContainEqual(
          expect.objectContaining({ effect: "timeline", kind: "ignored" }),
        );
      } else expect(decision.refusal.code).toBe("invalid_state");
      return;
    }
    const story = run(order, COMMANDS[trigger]);
    expect(story.order.status).toBe(path.at(-1));
    const chain = [from, ...path];
    expect(movesOf(story)).toEqual(path.map((to, n) => [chain[n], to]));
  });
});

describe("submit", () => {
  it("opens a case of the next attempt", () => {
    const story = run(orderIn("rejection", { review_attempt: 2 }), { command: "submit" });
    expect(story.order.review_attempt).toBe(3);
    expect(story.effects).toContainEqual({
      effect: "review_request",
      kind: "open_case",
      attempt: 3,
    });
  });
});

describe("the desk's confirmation", () => {
  it("is refused for another attempt than the latest", () => {
    const decision = decide(
      orderIn("in_review", { review_attempt: 2 }),
      { command: "desk_confirm", attempt: 1 },
      context,
    );
    expect(decision.allowed).toBe(false);
  });

  it("sends the first version as submit and every later one as supplement", () => {
    const kinds = [0, 1].map((version) =>
      run(orderIn("in_review", { request_version: version }), COMMANDS.desk_confirm),
    );
    expect(kinds.map((story) => story.order.request_version)).toEqual([1, 2]);
    expect(kinds.map((story) => story.effects.at(-1))).toEqual([
      { effect: "carrier_task", kind: "submit" },
      { effect: "carrier_task", kind: "supplement" },
    ]);
  });
});

describe("deletion", () => {
  it("tells of a draft and leaves its status", () => {
    const story = run(buildOrder(), { command: "delete", by: "customer" });
    expect(eventsOf(story)).toEqual(["porting_order.deleted"]);
    expect(story.order.deleted_at).toEqual(context.now);
  });

  it.each(ORDER_STATUSES.filter((status) => status !== "draft"))("is refused in %s", (status) => {
    const decision = decide(orderIn(status), { command: "delete", by: "customer" }, context);
    expect(decision.allowed).toBe(false);
  });
});

describe("a carrier's word", () => {
  it("of an older version moves nothing", () => {
    const story = run(orderIn("submitted", { request_version: 2 }), COMMANDS.acknowledged);
    expect(story.order.status).toBe("submitted");
    expect(story.order.provider_status).toBe("");
  });

  it("sets provider_status, but not when it is older than the last one", () => {
    const heard = run(orderIn("submitted"), COMMANDS.acknowledged).order;
    expect(heard.provider_status).toBe("RECEIVED");
    const earlier = buildWord({ raw_status: "OLD", occurred_at: T0, kind: null });
    const story = run(heard, { command: "carrier_word", word: earlier });
    expect(story.order.provider_status).toBe("RECEIVED");
  });

  it("naming the same date again is ignored, another date moves it with equal statuses", () => {
    const scheduled = run(orderIn("submitted"), COMMANDS.carrier_date);
    expect(movesOf(run(scheduled.order, COMMANDS.carrier_date))).toEqual([]);
    const word = buildWord({ kind: "date_moved", foc_at: "2026-11-23T10:00:00-05:00" });
    const moved = run(scheduled.order, { command: "carrier_word", word });
    expect(movesOf(moved)).toEqual([["foc_scheduled", "foc_scheduled"]]);
    expect(moved.order.foc_actual).toBe("2026-11-23T10:00:00-05:00");
  });

  it("completes only when every number is active, and tells of each number after", () => {
    const pending = { status: "activating", failure_code: null, activated_at: null } as const;
    const numbers = ["+12125551234", "+12125551235"].map((phone_number) => ({
      phone_number,
      ...pending,
    }));
    const word = (number: string) =>
      buildWord({ kind: "number_active", phone_numbers: [number], raw_status: "PORTED" });
    const half = run(orderIn("activating", { numbers }), {
      command: "carrier_word",
      word: word("+12125551235"),
    });
    expect(half.order.status).toBe("activating");
    expect(eventsOf(half)).toEqual([]);
    const whole = run(half.order, { command: "carrier_word", word: word("+12125551234") });
    expect(eventsOf(whole)).toEqual([
      "porting_order.status_changed",
      "number.activated",
      "number.activated",
    ]);
  });
});

describe("the confirmed date", () => {
  const due = new Date("2026-11-12T10:00:00-05:00");

  it("asks the carrier to activate when it is reached", () => {
    const story = run(orderIn("foc_scheduled"), { command: "foc_reached", due_at: due });
    expect(story.effects).toEqual([{ effect: "carrier_task", kind: "activate" }]);
  });

  it("asks nothing where the date was moved or the order went on", () => {
    const moved = orderIn("foc_scheduled", { foc_actual: "2026-11-13T10:00:00-05:00" });
    const went = orderIn("activating");
    for (const order of [moved, went]) {
      expect(run(order, { command: "foc_reached", due_at: due }).effects).toEqual([]);
    }
  });
});
