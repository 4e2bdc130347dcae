import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parseCarrierDirectory } from "./carrier-directory.ts";

function directoryOf(carriers: object, prefixes: object) {
  return parseCarrierDirectory(JSON.stringify({ carriers, prefixes }));
}

describe("the carrier directory", () => {
  const directory = directoryOf(
    { Verizon: {}, Frontier: { provider: "frontier-gateway" } },
    { "+1212": "Verizon", "+1212555": "Frontier" },
  );

  it("finds a number's carrier by the longest prefix", () => {
    const numbers = ["+12125551234", "+12127361234", "+13035551234"];
    expect(numbers.map((number) => directory.carrierOf(number))).toEqual([
      "Frontier",
      "Verizon",
      null,
    ]);
  });

  it("returns the provider that serves a carrier, ignoring the case of its name", () => {
    const carriers = ["frontier", "Verizon", "nobody", "constructor", null];
    expect(carriers.map((carrier) => directory.providerOf(carrier))).toEqual([
      "frontier-gateway",
      null,
      null,
      null,
      null,
    ]);
  });

  it("assigns the carrier manual to the provider of that name, listed or not", () => {
    expect(directory.providerOf("manual")).toBe("manual");
  });

  it.each([
    ["invalid JSON", "{"],
    ["an invalid prefix", '{"carriers":{"A":{}},"prefixes":{"1212":"A"}}'],
    ["a carrier that is not listed", '{"carriers":{},"prefixes":{"+1212":"toString"}}'],
    ["an unknown property", '{"carriers":{"A":{"povider":"x"}},"prefixes":{}}'],
  ])("refuses %s", (_name, json) => {
    expect(() => parseCarrierDirectory(json)).toThrow(/directory/);
  });

  it("is valid as shipped", () => {
    const path = "data/carriers/directory.json";
    expect(parseCarrierDirectory(readFileSync(path, "utf8")).providerOf("manual")).toBe("manual");
  });
});
