import { describe, expect, it } from "@jest/globals";
import { orderQueryOf, type ListFilters } from "./list-filters.ts";

const none: ListFilters = {
  q: "",
  status: "",
  provider: "",
  country: "",
  attention: "",
  account: "",
  batch: "",
  carrier: "",
  foc_from: "",
  foc_to: "",
};

describe("the filters of the list of orders", () => {
  it("ask for both days of an FOC range whole, in the person's zone", () => {
    const filters = { ...none, foc_from: "2026-03-02", foc_to: "2026-03-31" };
    const query = orderQueryOf(filters, "", "America/New_York");
    expect(query.foc_after).toBe("2026-03-02T00:00:00-05:00");
    expect(query.foc_before).toBe("2026-04-01T00:00:00-04:00");
  });

  it("ask for one status, a group of them, or any", () => {
    const statusesOf = (status: string) => orderQueryOf({ ...none, status }, "", "UTC").status;
    expect(statusesOf("rejection")).toStrictEqual(["rejection"]);
    expect(statusesOf("ended")).toStrictEqual(["completed", "completed_partial", "cancelled"]);
    expect(statusesOf("at_carrier")).toStrictEqual([
      "submitted",
      "in_process",
      "foc_scheduled",
      "activating",
      "cancel_pending",
    ]);
    expect(statusesOf("")).toStrictEqual([]);
  });
});
