import { describe, expect, it } from "@jest/globals";
import { cpuMsOf } from "../../../test/support/cpu-ms.ts";
import { readCarriers } from "../../domain/carrier/read-carriers.ts";
import { locateNumber, planOrders } from "../orders/plan-orders.ts";
import { checkPortability, type PortabilityFacts } from "./routes.ts";

const facts: PortabilityFacts = {
  unavailable: new Map([
    ["+12125551235", "already_active"],
    ["+12125551236", "number_in_active_order"],
  ]),
  options: {},
  directory: {
    carrierOf: (number) => (number.startsWith("+1212") ? "Verizon" : null),
    rangeOf: () => null,
    providerOf: () => null,
  },
  terms: readCarriers("data/carriers").terms,
  defaultProvider: "sandbox",
  now: new Date("2026-11-20T15:00:00Z"),
};

const addDays = (date: string | null | undefined, days: number): string =>
  new Date(Date.parse(date ?? "") + days * 86_400_000).toISOString();

describe("a portability check", () => {
  it("returns everything that an order for the number would have", async () => {
    expect(await checkPortability(["+12125551234"], facts)).toEqual([
      {
        phone_number: "+12125551234",
        portable: true,
        country_code: "US",
        number_type: "local",
        losing_carrier: "Verizon",
        reason: null,
        detail: null,
        earliest_foc: "2026-11-23T10:00:00-05:00",
      },
    ]);
  });

  it.each([
    ["12125551234", "invalid_number", [null, null, null]],
    ["+1212555\u0000", "invalid_number", [null, null, null]],
    ["+41211234567", "country_not_supported", ["CH", "local", null]],
    ["+33810123456", "country_not_supported", ["FR", "shared_cost", null]],
    ["+19002345678", "country_not_supported", ["US", null, null]],
    ["+12125551235", "already_active", ["US", "local", "Verizon"]],
    ["+12125551236", "number_in_active_order", ["US", "local", "Verizon"]],
  ])("%j: %s", async (phone_number, reason, [country_code, number_type, losing_carrier]) => {
    const result = { phone_number, country_code, number_type, losing_carrier };
    const detail = expect.stringMatching(/\.$/);
    const refused = { ...result, portable: false, reason, detail, earliest_foc: null };
    expect(await checkPortability([phone_number], facts)).toEqual([refused]);
  });

  it("says which types of the country can be ordered", async () => {
    const [refused] = await checkPortability(["+19002345678"], facts);
    expect(refused?.detail).toMatch(/of US these can: local, /);
  });

  it.each([
    ["DE", "+4930901820"],
    ["FR", "+33142685300"],
    ["GB", "+442079460000"],
    ["AU", "+61280000000"],
    ["US", "+12125551234"],
  ])("has the first date that a new order takes: %s", async (_country, phone_number) => {
    const phone_numbers = [phone_number];
    const [checked] = await checkPortability(phone_numbers, facts);
    const dates = [checked?.earliest_foc ?? "", addDays(checked?.earliest_foc, -1)];
    const located = phone_numbers.map((number) => locateNumber(number, {}, facts.directory));
    const context = { ...facts, accountId: "a", holders: new Map<string, string>(), located };
    const codes = dates.map((foc_requested) =>
      planOrders({ phone_numbers, foc_requested }, context).faults.map(({ code }) => code),
    );
    expect(codes).toEqual([[], ["foc_not_possible"]]);
  });

  it("answers for the type that the request names, where the plan leaves it open", async () => {
    const [mobile] = await checkPortability(["+12125551234"], {
      ...facts,
      options: { number_type: "mobile" },
    });
    expect(mobile).toMatchObject({ number_type: "mobile", portable: true });
  });

  it("counts the holidays of each number's own zone, also where two have one clock", async () => {
    const us = facts.terms("US", null);
    if (us === null) throw new Error("the US has terms");
    const zone = { time_zone: "America/New_York", source: "a test" };
    const zones = [
      { ...zone, prefixes: ["+1617"], regions: ["MA"] },
      { ...zone, prefixes: ["+1212"], regions: [] },
    ];
    // On Monday is Patriots' Day, which Massachusetts has and New York has not.
    const now = new Date("2026-04-17T15:00:00Z");
    const checked = await checkPortability(["+16175550143", "+12125550143"], {
      ...{ ...facts, now, unavailable: new Map() },
      directory: { ...facts.directory, carrierOf: () => null },
      terms: () => ({ ...us, zones }),
    });
    const days = checked.map(({ earliest_foc: date }) => date?.slice(0, 10));
    expect(days).toEqual(["2026-04-24", "2026-04-23"]);
  });

  it("returns every number once, in the order of first appearance", async () => {
    const numbers = ["+442079460000", "bad", "+12125551234", "bad", "+442079460000"];
    const checked = await checkPortability(numbers, facts);
    expect(checked.map((one) => one.phone_number)).toEqual([
      "+442079460000",
      "bad",
      "+12125551234",
    ]);
  });

  it("gives other requests their turn between slices of many numbers", async () => {
    const numbers = Array.from(
      { length: 1_000 },
      (_, n) => `+1212555${String(n).padStart(4, "0")}`,
    );
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    const checked = await checkPortability(numbers, { ...facts, unavailable: new Map() });
    clearInterval(others);
    expect(new Set(checked.map((one) => one.earliest_foc)).size).toBe(1);
    expect(turns).toBeGreaterThan(3);
    // 30 ms; 600 ms where holidays are counted for each number.
    expect(await cpuMsOf(() => checkPortability(numbers, facts))).toBeLessThan(250);
  });
});
