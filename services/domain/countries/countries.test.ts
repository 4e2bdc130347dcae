import { describe, expect, it } from "@jest/globals";
import { isSupportedCountry } from "libphonenumber-js/max";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { COUNTRIES, findCountry } from "./countries.ts";
import { NUMBER_TYPES } from "./number-type.ts";

const TABLE = [...COUNTRIES];
const HERE = dirname(fileURLToPath(import.meta.url));

describe("the table of countries", () => {
  it("has a line for every country's file", () => {
    const files = readdirSync(HERE).filter((name) => /^[a-z]{2}\.ts$/.test(name));
    const codes = files.map((name) => name.slice(0, 2).toUpperCase());
    expect(TABLE.map(([code]) => code).toSorted()).toEqual(codes.toSorted());
  });

  it("assigns no territory to two countries", () => {
    const territories = TABLE.flatMap(([, { numbering }]) => numbering.territories);
    expect(territories.toSorted()).toEqual([...new Set(territories)].toSorted());
  });

  it("has no other country", () => {
    expect(findCountry("BR")).toBeNull();
    expect(findCountry("toString")).toBeNull();
  });
});

describe.each(TABLE)("the country %s", (code, { numbering, types }) => {
  it("has its own territory, and only territories that libphonenumber knows", () => {
    expect(numbering.territories).toContain(code);
    expect(numbering.territories.filter((one) => !isSupportedCountry(one))).toEqual([]);
  });

  it("can port some type", () => {
    expect(NUMBER_TYPES.flatMap((type) => types[type] ?? []).length).toBeGreaterThan(0);
  });

  it("can port local and mobile numbers if it leaves the choice to the customer", () => {
    const open = [types.local, types.mobile].every((type) => type !== undefined);
    expect(numbering.leavesTypeOpen && !open).toBe(false);
  });
});
