import { describe, expect, it } from "@jest/globals";
import type { OwnerTerm } from "./owner-at.ts";
import { ownerAt } from "./owner-at.ts";

const MINUTE = 60_000;
const FAR = 1e15;

function term(account_id: string, since: number, until: number | null): OwnerTerm {
  return { account_id, porting_order_id: null, since, until };
}

const first = term("first", 100 * MINUTE, 200 * MINUTE);
const second = term("second", 200 * MINUTE, 300 * MINUTE);
const present = term("present", 300 * MINUTE, null);

describe("a number's owner at the time of a call", () => {
  it.each<[string, readonly OwnerTerm[], number, string | null]>([
    ["is the one that has it now", [present], 301 * MINUTE, "present"],
    ["is the one that had it then", [first, second, present], 150 * MINUTE, "first"],
    ["begins with the moment at which it came", [first, second, present], 200 * MINUTE, "second"],
    ["ends with the moment at which it left", [second, present], 300 * MINUTE, "present"],
    ["is the one that has it now before anybody had it", [first, present], 0, "present"],
    ["is the one that has it now where the clock is far ahead", [first, present], FAR, "present"],
    [
      "is the one that has it now in a time when nobody had it",
      [first, present],
      250 * MINUTE,
      "present",
    ],
    ["is nobody where there is no number", [], 1, null],
    ["is the last one where it left a moment ago", [first], 204 * MINUTE, "first"],
    ["is the last one where the clock is a little behind", [first], 96 * MINUTE, "first"],
    ["is nobody long after it left", [first], 205 * MINUTE, null],
    ["is nobody long before it came", [first], 94 * MINUTE, null],
    ["is nobody in the far past", [first], 0, null],
    ["is nobody in the far future", [first], FAR, null],
    ["is the later one of two that are as near", [first, second], 302 * MINUTE, "second"],
  ])("%s", (_case, terms, at, account) => {
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
