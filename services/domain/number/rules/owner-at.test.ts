import { describe, expect, it } from "@jest/globals";
import { ownerAt, type OwnerTerm } from "./owner-at.ts";

const MINUTE = 60_000;
const FAR = 1e15;

function term(account_id: string, since: number, until: number | null): OwnerTerm {
  return { account_id, porting_order_id: null, since, until };
}

const first = term("first", 100 * MINUTE, 200 * MINUTE);
const second = term("second", 200 * MINUTE, 300 * MINUTE);
const present = term("present", 300 * MINUTE, null);

interface Call {
  readonly terms: readonly OwnerTerm[];
  readonly at: number;
}

describe("a number's owner at the time of a call", () => {
  it.each<[string, Call, string | null]>([
    ["is the current owner", { terms: [present], at: 301 * MINUTE }, "present"],
    ["is the owner at that time", { terms: [first, second, present], at: 150 * MINUTE }, "first"],
    [
      "is the new owner from the moment the number arrives",
      { terms: [first, second, present], at: 200 * MINUTE },
      "second",
    ],
    [
      "is no longer the former owner from the moment the number leaves",
      { terms: [second, present], at: 300 * MINUTE },
      "present",
    ],
    [
      "is the current owner for a time before any owner",
      { terms: [first, present], at: 0 },
      "present",
    ],
    [
      "is the current owner if the clock is far ahead",
      { terms: [first, present], at: FAR },
      "present",
    ],
    [
      "is the current owner for a time between two owners",
      { terms: [first, present], at: 250 * MINUTE },
      "present",
    ],
    ["is null for an unknown number", { terms: [], at: 1 }, null],
    [
      "is the last owner if the number left a moment ago",
      { terms: [first], at: 204 * MINUTE },
      "first",
    ],
    [
      "is the last owner if the clock is a little behind",
      { terms: [first], at: 96 * MINUTE },
      "first",
    ],
    ["is null long after the number left", { terms: [first], at: 205 * MINUTE }, null],
    ["is null long before the number arrived", { terms: [first], at: 94 * MINUTE }, null],
    ["is null in the far past", { terms: [first], at: 0 }, null],
    ["is null in the far future", { terms: [first], at: FAR }, null],
    [
      "is the later of two owners that are equally near",
      { terms: [first, second], at: 302 * MINUTE },
      "second",
    ],
  ])("%s", (_case, { terms, at }, account) => {
    expect(ownerAt(terms, at)?.account_id ?? null).toBe(account);
    expect(ownerAt([...terms].reverse(), at)?.account_id ?? null).toBe(account);
  });

  it("is the owner with the later start if two terms overlap", () => {
    const next = term("next", 190 * MINUTE, null);
    expect(ownerAt([first, next], 195 * MINUTE)?.account_id).toBe("next");
    expect(ownerAt([first, next], 189 * MINUTE)?.account_id).toBe("first");
    // A start moved back to before another's does not take over the other's calls.
    const setBack = term("set back", 0, null);
    expect(ownerAt([first, setBack], 150 * MINUTE)?.account_id).toBe("first");
  });
});
