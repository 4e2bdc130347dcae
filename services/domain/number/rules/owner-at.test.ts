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
    ["is the one that has it now", { terms: [present], at: 301 * MINUTE }, "present"],
    ["is the one that had it then", { terms: [first, second, present], at: 150 * MINUTE }, "first"],
    [
      "begins with the moment at which it came",
      { terms: [first, second, present], at: 200 * MINUTE },
      "second",
    ],
    [
      "ends with the moment at which it left",
      { terms: [second, present], at: 300 * MINUTE },
      "present",
    ],
    [
      "is the one that has it now before anybody had it",
      { terms: [first, present], at: 0 },
      "present",
    ],
    [
      "is the one that has it now where the clock is far ahead",
      { terms: [first, present], at: FAR },
      "present",
    ],
    [
      "is the one that has it now in a time when nobody had it",
      { terms: [first, present], at: 250 * MINUTE },
      "present",
    ],
    ["is nobody where there is no number", { terms: [], at: 1 }, null],
    ["is the last one where it left a moment ago", { terms: [first], at: 204 * MINUTE }, "first"],
    [
      "is the last one where the clock is a little behind",
      { terms: [first], at: 96 * MINUTE },
      "first",
    ],
    ["is nobody long after it left", { terms: [first], at: 205 * MINUTE }, null],
    ["is nobody long before it came", { terms: [first], at: 94 * MINUTE }, null],
    ["is nobody in the far past", { terms: [first], at: 0 }, null],
    ["is nobody in the far future", { terms: [first], at: FAR }, null],
    [
      "is the later one of two that are as near",
      { terms: [first, second], at: 302 * MINUTE },
      "second",
    ],
  ])("%s", (_case, { terms, at }, account) => {
    expect(ownerAt(terms, at)?.account_id ?? null).toBe(account);
    expect(ownerAt([...terms].reverse(), at)?.account_id ?? null).toBe(account);
  });

  it("goes by the later beginning where a term is said to begin in another's", () => {
    const next = term("next", 190 * MINUTE, null);
    expect(ownerAt([first, next], 195 * MINUTE)?.account_id).toBe("next");
    expect(ownerAt([first, next], 189 * MINUTE)?.account_id).toBe("first");
    // A beginning that is set back to before the other's takes none of the other's calls away.
    const setBack = term("set back", 0, null);
    expect(ownerAt([first, setBack], 150 * MINUTE)?.account_id).toBe("first");
  });
});
