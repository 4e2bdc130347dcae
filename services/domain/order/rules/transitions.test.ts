import { describe, expect, it } from "@jest/globals";
import {
  buildChange,
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import {
  ORDER_STATUSES,
  SYSTEM_ACTOR,
  type NumberStatus,
  type Order,
  type OrderStatus,
} from "./order.ts";
import { TRANSITIONS, TRIGGERS, type Trigger } from "./transitions.ts";

const FIRST = "+12125551234";
const SECOND = "+12125551235";
const context = { actor: SYSTEM_ACTOR, now: new Date(T0.getTime() + 1_000) };

type Row = Record<string, unknown>;
const rowOf = (from: OrderStatus): Row => TRANSITIONS[from];

/** One path through the table; each case of a chooser is a separate path. */
interface Path {
  readonly from: OrderStatus;
  readonly trigger: Trigger;
  readonly when: string | null;
  readonly to: string;
}

function isChoice(entry: unknown): entry is { by: string; to: Record<string, string> } {
  return typeof entry === "object" && entry !== null;
}

const PATHS: Path[] = ORDER_STATUSES.flatMap((from) =>
  TRIGGERS.flatMap((trigger): Path[] => {
    const entry = rowOf(from)[trigger];
    if (typeof entry === "string") return [{ from, trigger, when: null, to: entry }];
    if (!isChoice(entry)) return [];
    return Object.entries(entry.to).map(([when, to]) => ({ from, trigger, when, to }));
  }),
);

/** Runs with a table in which one path has another target, or none. */
function withPath<T>({ from, trigger, when }: Path, to: string | null, run: () => T): T {
  const row = rowOf(from);
  const entry = row[trigger];
  const others = new Map(isChoice(entry) ? Object.entries(entry.to) : []);
  others.delete(when ?? "");
  const changed = Object.fromEntries(to === null ? others : [...others, [when ?? "", to]]);
  try {
    if (isChoice(entry)) row[trigger] = { ...entry, to: changed };
    else if (to === null) Reflect.deleteProperty(row, trigger);
    else row[trigger] = to;
    return run();
  } finally {
    row[trigger] = entry;
  }
}

function numbersIn(...statuses: NumberStatus[]): Order["numbers"] {
  return statuses.map((status, n) => ({
    phone_number: n === 0 ? FIRST : SECOND,
    status,
    failure_code: null,
    activated_at: status === "active" ? T0 : null,
  }));
}

const NUMBERS: Readonly<Record<string, Order["numbers"]>> = {
  all: numbersIn("active", "activating"),
  some: numbersIn("active", "activating"),
  none: numbersIn("activating"),
};

/** An order that takes the path. */
function orderOf({ from, trigger, when }: Path): Order {
  const order = orderIn(from, {
    requirements: [buildRequirement({ status: "requirement-info-under-review" })],
    request_version: when === "never_sent" || from === "draft" ? 0 : 1,
    changes: trigger === "change_refused" ? [buildChange({ versions: [1] })] : [],
    ...(NUMBERS[when ?? ""] === undefined ? {} : { numbers: NUMBERS[when ?? ""] }),
  });
  const { cancel } = order;
  const from_status = ORDER_STATUSES.find((status) => status === when) ?? "submitted";
  return cancel === null ? order : { ...order, cancel: { ...cancel, from_status } };
}

const report = (fields: Parameters<typeof buildStatusUpdate>[0]): OrderCommand => ({
  command: "status_update",
  update: buildStatusUpdate(fields),
});

function commandOf({ trigger, when }: Path): OrderCommand {
  switch (trigger) {
    case "submit":
      return { command: "submit" };
    case "desk_confirm":
      return { command: "review", attempt: 1, decisions: [], confirm: true };
    case "desk_reject": {
      const decision = {
        slug: "entity_name",
        decision: "reject",
        code: null,
        reason: "no",
      } as const;
      return { command: "review", attempt: 1, decisions: [decision], confirm: false };
    }
    case "customer_cancel":
      return { command: "cancel", by: "customer", reason: null, cutoffMs: 0 };
    case "ops_close":
      return { command: "cancel", by: "ops", reason: null, cutoffMs: 0 };
    case "carrier_date":
      return report({ kind: "date_confirmed", foc_at: "2026-11-20T10:00:00-05:00" });
    case "carrier_rejected":
      return report({ kind: "rejected", code: "port_freeze" });
    case "carrier_refused":
      return report({ kind: "refused" });
    case "numbers_settled":
      return when === "all"
        ? report({ kind: "number_active", phone_numbers: [SECOND] })
        : report({ kind: "number_failed", code: "sv_failure" });
    case "acknowledged":
    case "activating":
    case "number_active":
    case "number_failed":
    case "cancel_confirmed":
    case "cancel_refused":
    case "change_refused":
      return report({ kind: trigger });
  }
}

/** The order's status after its first move; null if it did not move. */
function firstStop(path: Path): string | null {
  const decision = decide(orderOf(path), commandOf(path), context);
  if (!decision.allowed) return null;
  const [move] = decision.effects.flatMap((effect) =>
    effect.effect === "event" && effect.type === "porting_order.status_changed"
      ? [effect.payload.new_status]
      : [],
  );
  return move ?? null;
}

function isTaken(path: Path): boolean {
  const decision = decide(orderOf(path), commandOf(path), context);
  const isIgnored = (effect: { effect: string; kind?: unknown }): boolean =>
    effect.effect === "timeline" && effect.kind === "ignored";
  return decision.allowed && !decision.effects.some(isIgnored);
}

const name = ({ from, trigger, when, to }: Path): [string, Path] => [
  `${from} by ${trigger}${when === null ? "" : ` (${when})`} to ${to}`,
  { from, trigger, when, to },
];
const MOVES = PATHS.filter(({ to }) => to !== "stay");

describe("the transition table drives every move of an order", () => {
  it.each(MOVES.map(name))("%s", (_, path) => {
    expect(firstStop(path)).toBe(path.to);
  });

  it.each(MOVES.map(name))("%s: goes to any other target in the table", (_, path) => {
    for (const to of ORDER_STATUSES) expect(withPath(path, to, () => firstStop(path))).toBe(to);
  });

  it.each(MOVES.map(name))("%s: does not move if the table lacks it", (_, path) => {
    expect(withPath(path, null, () => firstStop(path))).toBeNull();
  });

  const stays = PATHS.filter(({ to }) => to === "stay");
  it.each(stays.map(name))("%s: is applied, and ignored if the table lacks it", (_, path) => {
    expect([isTaken(path), withPath(path, null, () => isTaken(path))]).toEqual([true, false]);
  });
});
