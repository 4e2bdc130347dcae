import { describe, expect, it } from "@jest/globals";
import { viewSearch } from "./views.ts";

describe("the search of a saved view", () => {
  it("is the same for the same filters, in whatever order they were set", () => {
    expect(viewSearch("?q=a&status=draft")).toBe(viewSearch("status=draft&q=a"));
    expect(viewSearch("status=draft")).not.toBe(viewSearch("status=submitted"));
  });

  it("has neither the page of the list nor what is open beside it", () => {
    expect(viewSearch("order_by=name&after=o1&open=o2")).toBe("order_by=name");
  });
});
