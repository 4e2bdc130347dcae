import { expect, it } from "@jest/globals";
import { buildOrder, T0 } from "../../../../test/support/orders/order-factory.ts";
import type { Effect } from "../rules/effects.ts";
import { deadlineRows, timeOfChange } from "./order-commands.ts";

it("of several effects on a deadline the last is written, and a date and a wait as what they are", () => {
  const later = new Date(T0.getTime() + 1);
  const effects: readonly Effect[] = [
    { effect: "deadline", kind: "foc_reached", due_at: T0 },
    { effect: "wait", kind: "carrier_silence", since: T0 },
    { effect: "deadline", kind: "foc_reached", due_at: later },
    { effect: "wait", kind: "carrier_silence", since: null },
    { effect: "wait", kind: "foc_grace", since: later },
  ];
  expect(deadlineRows(effects)).toEqual([
    { kind: "foc_reached", due_at: later, since: null },
    { kind: "carrier_silence", due_at: null, since: null },
    { kind: "foc_grace", due_at: null, since: later },
  ]);
});

it("a change is later than the one before, whenever its command came", () => {
  const changed = buildOrder({ updated_at: T0 });
  const after = (ms: number) => timeOfChange(changed, new Date(T0.getTime() + ms)).getTime();
  expect([-40, 0, 1, 40].map((ms) => after(ms) - T0.getTime())).toEqual([1, 1, 1, 40]);
});

it("a change after one by a clock that was far ahead has its own time", () => {
  const changed = buildOrder({ updated_at: new Date(T0.getTime() + 3_600_000) });
  expect(timeOfChange(changed, T0)).toEqual(T0);
});
