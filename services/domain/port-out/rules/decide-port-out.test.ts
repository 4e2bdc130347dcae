import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  LEAVING as NUMBERS,
  portOutIn,
  TOMORROW as LATER,
} from "../../../../test/support/orders/port-out-factory.ts";
import { T0 as NOW } from "../../../../test/support/orders/order-factory.ts";
import { decidePortOut, type PortOutCommand, type DecidedPortOut } from "./decide-port-out.ts";
import {
  isOpenPortOut,
  PORT_OUT_TRANSITIONS,
  PORT_OUT_TRIGGERS,
  portOutTargetOf,
  type PortOutTrigger,
} from "./port-out-transitions.ts";
import { PORT_OUT_STATUSES, type PortOutStatus } from "./port-out.ts";

const REPORT = { provider_status: "reported", foc_at: null };
const COMPLETED = { command: "completed", phone_numbers: NUMBERS, at: NOW, ...REPORT } as const;
const COMMANDS: Readonly<Record<PortOutTrigger, PortOutCommand>> = {
  checks_failed: { command: "check", fault: "port_locked", deadline: LATER },
  checks_passed: { command: "check", fault: null, deadline: LATER },
  approve: { command: "approve", by: "customer" },
  reject: { command: "reject", by: "ops", code: "subscriber_mismatch", reason: null },
  deadline: { command: "deadline" },
  number_lost: { command: "number_lost" },
  number_released: { command: "number_released" },
  carrier_cancels: { command: "cancelled", ...REPORT },
  carrier_completes: COMPLETED,
};

/** A second copy of the table, taken from the contract. */
const MOVES: readonly (readonly [PortOutStatus, PortOutTrigger, PortOutStatus])[] = [
  ["requested", "checks_failed", "rejected"],
  ["requested", "checks_passed", "decision_required"],
  ["requested", "number_lost", "rejected"],
  ["requested", "number_released", "rejected"],
  ["requested", "carrier_completes", "ported_out"],
  ["decision_required", "approve", "approved"],
  ["decision_required", "reject", "rejected"],
  ["decision_required", "deadline", "expired"],
  ["decision_required", "number_lost", "rejected"],
  ["decision_required", "number_released", "rejected"],
  ["decision_required", "carrier_cancels", "cancelled"],
  ["decision_required", "carrier_completes", "ported_out"],
  ["approved", "number_released", "rejected"],
  ["approved", "carrier_cancels", "cancelled"],
  ["approved", "carrier_completes", "ported_out"],
  ["expired", "number_released", "rejected"],
  ["expired", "carrier_cancels", "cancelled"],
  ["expired", "carrier_completes", "ported_out"],
  ["rejected", "carrier_completes", "ported_out"],
];

function kindsOf({ effects }: DecidedPortOut): string[] {
  return effects.map((effect) => (effect.effect === "event" ? effect.type : effect.effect));
}

/** Like `expect(…).toBe(…)`, which is slow, but calls it only on a mismatch. */
function same(actual: boolean, wanted: boolean): void {
  if (actual !== wanted) expect(actual).toBe(wanted);
}

const EVERY = PORT_OUT_STATUSES.flatMap((from) =>
  PORT_OUT_TRIGGERS.map((trigger): [PortOutStatus, PortOutTrigger] => [from, trigger]),
);

describe("a port-out", () => {
  it.each(EVERY)("in %s, at %s, moves as the contract specifies", (from, trigger) => {
    const [, , to = null] = MOVES.find((move) => move[0] === from && move[1] === trigger) ?? [];
    const decided = decidePortOut(portOutIn(from), COMMANDS[trigger], NOW);
    expect(portOutTargetOf({ status: from }, trigger)).toBe(to);
    if (to !== null) {
      expect(decided?.portOut.status).toBe(to);
      expect(decided?.portOut.decision_deadline).toEqual(to === "decision_required" ? LATER : null);
      const published = to === "ported_out" ? [] : ["port_out.status_changed"];
      expect(decided === null ? [] : kindsOf(decided).filter((kind) => kind.includes("."))).toEqual(
        published,
      );
      return;
    }
    const isOurs = ["checks_failed", "checks_passed", "approve", "reject"].includes(trigger);
    if (isOurs) expect(decided).toBeNull();
    else expect(decided).toMatchObject({ portOut: { status: from }, effects: [] });
  });

  const moves = MOVES.map(([from, trigger]) => [from, trigger] as const);
  it.each(moves)("in %s, at %s, moves only as the table specifies", (from, trigger) => {
    const row: Partial<Record<PortOutTrigger, unknown>> = PORT_OUT_TRANSITIONS[from];
    const had = row[trigger];
    const goesTo = (): PortOutStatus | undefined =>
      decidePortOut(portOutIn(from), COMMANDS[trigger], NOW)?.portOut.status;
    try {
      for (const to of PORT_OUT_STATUSES) {
        row[trigger] = to;
        expect(goesTo()).toBe(to);
      }
      Reflect.deleteProperty(row, trigger);
      expect([undefined, from]).toContain(goesTo());
    } finally {
      row[trigger] = had;
    }
  });

  it("answers the carrier at each decision, and marks the numbers that may leave", () => {
    const waiting = portOutIn("decision_required");
    const effects = (command: PortOutCommand, from = waiting): string[] =>
      kindsOf(decidePortOut(from, command, NOW) ?? { portOut: from, effects: [] });
    const moved = "port_out.status_changed";
    expect(effects(COMMANDS.approve)).toEqual([moved, "deadline", "mark_numbers", "answer"]);
    expect(effects(COMMANDS.reject)).toEqual([moved, "deadline", "answer"]);
    expect(effects(COMMANDS.deadline)).toEqual([moved, "deadline", "mark_numbers", "answer"]);
    expect(effects(COMMANDS.checks_failed, portOutIn("requested"))).toEqual([moved, "answer"]);
    expect(effects(COMMANDS.carrier_cancels)).toEqual([moved, "deadline", "mark_numbers"]);
    expect(effects(COMMANDS.number_released)).toEqual([moved, "deadline", "answer"]);
    expect(effects(COMMANDS.number_released, portOutIn("approved"))).toEqual([
      moved,
      "deadline",
      "mark_numbers",
      "answer",
    ]);
    expect(effects(COMPLETED)).toEqual(["deadline", "leave"]);
  });

  it("answers a repeated request again, but only if there is an answer", () => {
    const again = { command: "requested_again", ...REPORT } as const;
    const answered = PORT_OUT_STATUSES.filter((status) =>
      decidePortOut(portOutIn(status), again, NOW)?.effects.some((one) => one.effect === "answer"),
    );
    expect(answered).toEqual(["approved", "rejected", "expired"]);
  });

  it("takes a report's status and date until it has ended, and then keeps the last ones", () => {
    const foc_at = "2026-12-01T10:00:00+01:00";
    const again = { command: "requested_again", provider_status: "late", foc_at } as const;
    const follows = PORT_OUT_STATUSES.filter((status) => {
      const known = portOutIn(status, { foc_actual: "2026-11-20T10:00:00+01:00" });
      const after = decidePortOut(known, again, NOW)?.portOut ?? known;
      const [kept, taken] = [known, { ...known, foc_actual: foc_at, provider_status: "late" }];
      const isTaken = after.provider_status === "late";
      expect(after).toEqual(isTaken ? taken : kept);
      return isTaken;
    });
    expect(follows).toEqual(["requested", "decision_required", "approved", "rejected", "expired"]);
    const undated = decidePortOut(
      portOutIn("approved", { foc_actual: foc_at }),
      { ...again, foc_at: null },
      NOW,
    );
    expect(undated?.portOut.foc_actual).toBe(foc_at);
  });

  it("is complete when its last number has left, in whatever order they leave", () => {
    const [first = "", last = ""] = NUMBERS;
    const half = decidePortOut(
      portOutIn("approved"),
      { ...COMPLETED, phone_numbers: [first] },
      NOW,
    );
    expect(half).toMatchObject({
      portOut: { status: "approved" },
      effects: [{ effect: "leave", phone_numbers: [first] }],
    });
    const done = decidePortOut(half?.portOut ?? portOutIn("approved"), COMPLETED, NOW);
    expect(done?.portOut.status).toBe("ported_out");
    expect(done?.effects.at(-1)).toEqual({ effect: "leave", phone_numbers: [last], at: NOW });
  });

  it.each([
    ["decision_required", COMMANDS.approve, "porting_out"],
    ["decision_required", COMMANDS.deadline, "porting_out"],
    ["approved", COMMANDS.carrier_cancels, "active"],
  ] as const)("in %s marks only the numbers that have not left by it", (from, command, status) => {
    const [first = "", last = ""] = NUMBERS;
    const report = { ...COMPLETED, phone_numbers: [first] };
    const half = decidePortOut(portOutIn(from), report, NOW)?.portOut ?? portOutIn(from);
    const marks = decidePortOut(half, command, NOW)?.effects.filter(
      ({ effect }) => effect === "mark_numbers",
    );
    expect(marks).toEqual([{ effect: "mark_numbers", status, phone_numbers: [last] }]);
  });

  it("keeps its rules through any sequence of updates, decisions and deadlines", () => {
    const command = fc.constantFrom<PortOutCommand>(
      ...Object.values(COMMANDS),
      { command: "requested_again", ...REPORT },
      { ...COMPLETED, phone_numbers: NUMBERS.slice(0, 1) },
      { ...COMPLETED, phone_numbers: [] },
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let portOut = portOutIn("requested");
        const left: string[] = [];
        let decisions = 0;
        for (const one of commands) {
          const before = portOut;
          const decided = decidePortOut(before, one, NOW);
          if (decided === null) continue;
          portOut = decided.portOut;
          for (const effect of decided.effects) {
            if (effect.effect === "leave") left.push(...effect.phone_numbers);
          }
          const isMade = one.command !== "number_released" && portOut.decision !== before.decision;
          if (isMade) decisions += 1;
          const gone = portOut.numbers.every((number) => number.ported_out_at !== null);
          same(portOut.decision_deadline !== null, portOut.status === "decision_required");
          same(portOut.status === "ported_out", gone);
          if (!isOpenPortOut(before.status)) same(isOpenPortOut(portOut.status), false);
        }
        expect(decisions).toBeLessThanOrEqual(1);
        expect(new Set(left).size).toBe(left.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
