import { describe, expect, it } from "@jest/globals";
import type { Match } from "../types.ts";
import { evidenceAgainst, numbersFound } from "./evidence.ts";

function numbers(count: number, found: boolean | null, from = 0): Match[] {
  return Array.from({ length: count }, (_, n) => ({
    what: "phone_number" as const,
    value: `+1212555${String(from + n).padStart(4, "0")}`,
    found,
    page: null,
  }));
}

describe("the numbers of an order in a document", () => {
  it("are counted, and those that are missing are named", () => {
    const matches = [...numbers(498, true), ...numbers(2, false, 498)];
    const { text, missing } = numbersFound(matches);
    expect(text).toBe("498 of 500 numbers found");
    expect(missing.map(({ value }) => value)).toEqual(["+12125550498", "+12125550499"]);
    expect(evidenceAgainst(matches)).toEqual([text]);
    expect(evidenceAgainst(numbers(500, false))).toEqual(["0 of 500 numbers found"]);
  });

  it("say nothing where the document cannot be read", () => {
    expect(numbersFound(numbers(500, null)).text).toBe("500 numbers: not readable");
    expect(evidenceAgainst(numbers(500, null))).toEqual([]);
    const part = [...numbers(3, true), ...numbers(2, null, 3)];
    expect(numbersFound(part).text).toBe("3 of 5 numbers found, 2 not readable");
    expect(evidenceAgainst(part)).toEqual([]);
  });

  it("speak for the order where all are found", () => {
    expect(evidenceAgainst(numbers(500, true))).toEqual([]);
  });
});
