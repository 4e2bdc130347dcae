import { describe, expect, it } from "@jest/globals";
import { readSearch } from "./read-search.ts";

describe("a search in the queue", () => {
  it.each([
    ["+12125550123", "12125550123"],
    ["+1 (212) 555-0123", "12125550123"],
    ["212.555.0123", "2125550123"],
    ["0123", "123"],
    ["0044 20 7946 0018", "442079460018"],
    ["+44 (0)20 7946 0018", "442079460018"],
    ["020 7946 0018", "2079460018"],
  ])("for %s looks for a number that ends in %s", (q, digits) => {
    expect(readSearch(q)).toMatchObject({ digits, orderId: null });
  });

  it.each(["12", "PO-2026-17", "Acme", "x0123"])("for %s looks for no number", (q) => {
    expect(readSearch(q)).toEqual({ orderId: null, digits: null, text: q.toLowerCase() });
  });

  it("for an id looks for that order", () => {
    const id = "0190A0B1-7D0B-7A53-9D2A-0B9F0C3D5E11";
    expect(readSearch(` ${id} `)).toMatchObject({ orderId: id.toLowerCase(), digits: null });
  });
});
