import { describe, expect, it } from "@jest/globals";
import { parseProvider } from "./provider.ts";

const known = {
  title: "A carrier",
  statuses: { RCVD: "acknowledged" },
  codes: { "1": "pin_invalid" },
  capabilities: ["submit"],
  business_hours: { time_zone: "UTC", days: [1], from: "08:00", to: "17:00" },
};

describe("a provider's file", () => {
  it("is read as it is written", () => {
    const provider = parseProvider("known", JSON.stringify(known));
    expect(provider.statuses.get("RCVD")).toBe("acknowledged");
    expect(provider.codes.get("1")).toBe("pin_invalid");
  });

  it.each([
    ["a kind that is none", { statuses: { RCVD: "received" } }, "statuses.RCVD"],
    ["a code that is not canonical", { codes: { "1": "pin" } }, "codes.1"],
    ["a request that nobody makes", { capabilities: ["dance"] }, "capabilities.0"],
    [
      "a time zone that is none",
      { business_hours: { ...known.business_hours, time_zone: "Mars/Olympus" } },
      "business_hours.time_zone",
    ],
    ["a property that is none", { status: {} }, "status"],
  ])("is refused for %s", (_, change, fault) => {
    expect(() => parseProvider("odd", JSON.stringify({ ...known, ...change }))).toThrow(fault);
  });

  it("is refused where it is no JSON", () => {
    expect(() => parseProvider("odd", "{")).toThrow("no JSON");
  });
});
