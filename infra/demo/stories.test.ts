import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parsePhoneNumberWithError } from "libphonenumber-js/max";
import { Chance, STORIES } from "./stories.ts";
import { KINDS, newNumber } from "./demo-order.ts";

const sandbox = readFileSync("docs/sandbox.md", "utf8");
const many = Array.from({ length: 200 }, (_, seed) => new Chance(seed));
const isValid = (phoneNumber: string): boolean => parsePhoneNumberWithError(phoneNumber).isValid();

describe("the demo", () => {
  it.each(KINDS)("makes numbers that mostly exist, of $prefixes", (kind) => {
    const plain = many.map((chance) => newNumber(kind, chance, null));
    expect(plain.filter(isValid).length).toBeGreaterThan(100);
    expect(plain.filter((one) => one.slice(-4, -2) === "99")).toEqual([]);
    const ended = many.map((chance) => newNumber(kind, chance, "9904"));
    expect(ended.every((one) => one.endsWith("9904"))).toBe(true);
    expect(ended.filter(isValid).length).toBeGreaterThan(100);
  });

  it("plays outcomes that the sandbox documents", () => {
    const endings = STORIES.flatMap(({ ending = [] }) => ending);
    expect(endings.length).toBeGreaterThan(5);
    for (const ending of endings) expect(sandbox).toContain(`| ${ending} `);
  });

  it("plays every story, each as often as its weight", () => {
    const drawn = Array.from({ length: 5_000 }, (_, n) => {
      return new Chance(n).pickWeighted(STORIES);
    });
    const total = STORIES.reduce((sum, { weight }) => sum + weight, 0);
    for (const story of STORIES) {
      const share = drawn.filter((one) => one === story).length / drawn.length;
      expect(share).toBeCloseTo(story.weight / total, 1);
      expect(share).toBeGreaterThan(0.005);
    }
  });

  it("makes the same choices by the same seed", () => {
    const draw = () => new Chance(7).digits(20);
    expect(draw()).toBe(draw());
    expect(draw()).not.toBe(new Chance(8).digits(20));
  });
});
