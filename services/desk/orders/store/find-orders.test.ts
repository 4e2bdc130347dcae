import { describe, expect, it } from "@jest/globals";
import { readSearchTerm } from "./find-orders.ts";

describe("a search", () => {
  it.each([
    ["+12125550123", ["12125550123"]],
    ["tel:+1-212-555-0123", ["12125550123"]],
    ["(212) 555 0123", ["2125550123"]],
    ["00 44 20 7946 0123", ["00442079460123", "442079460123"]],
    ["+44 (0)20 7946 0123", ["442079460123"]],
    ["020 7946 0123", ["02079460123", "2079460123"]],
    ["011 44 20 7946 0123", ["011442079460123", "442079460123"]],
    ["06.12.34.56.78", ["0612345678", "612345678"]],
    ["0123", ["0123"]],
    ["000123", ["000123"]],
    ["123", []],
    ["1234567890123456", []],
    ["PO-4711", []],
    ["Acme 2000", []],
  ])("%s looks for numbers that end in %j", (given, lastDigits) => {
    expect(readSearchTerm(given).lastDigits).toEqual(lastDigits);
  });

  it("takes an id in any case", () => {
    const id = "0198c0de-0000-7000-8000-00000000000A";
    expect(readSearchTerm(` ${id} `)).toEqual({ text: id, id: id.toLowerCase(), lastDigits: [] });
    expect(readSearchTerm("0198c0de").id).toBeNull();
  });
});
