import { describe, expect, it } from "@jest/globals";
import { parseProvider, takesRequest } from "./provider.ts";

const known = {
  title: "A carrier",
  statuses: { RCVD: "acknowledged" },
  codes: { "1": "pin_invalid" },
  capabilities: ["submit"],
  business_hours: { time_zone: "UTC", days: [1], from: "08:00", to: "17:00" },
};

describe("a provider's file", () => {
  it("is parsed as written", () => {
    const provider = parseProvider("known", JSON.stringify(known));
    expect(provider.statuses.get("RCVD")).toBe("acknowledged");
    expect(provider.codes.get("1")).toBe("pin_invalid");
  });

  it("decides which requests are sent to the provider", () => {
    const providers = new Map([["known", parseProvider("known", JSON.stringify(known))]]);
    expect(takesRequest(providers, "known", "submit")).toBe(true);
    expect(takesRequest(providers, "known", "port_out_decision")).toBe(false);
    expect(takesRequest(providers, "without a file", "port_out_decision")).toBe(true);
  });

  it.each([
    ["an unknown kind", { statuses: { RCVD: "received" } }, "#/statuses/RCVD"],
    ["a code that is not canonical", { codes: { "1": "pin" } }, "#/codes/1"],
    ["an unknown request kind", { capabilities: ["dance"] }, "#/capabilities/0"],
    [
      "an unknown time zone",
      { business_hours: { ...known.business_hours, time_zone: "Mars/Olympus" } },
      "#/business_hours/time_zone",
    ],
    ["an unknown property", { status: {} }, "status"],
    ["terms of no country", { terms: { zz: {} } }, "#/terms/zz: no country's name, such as us"],
    [
      "terms that its country cannot have",
      { terms: { gb: { zones: [{ time_zone: "UTC", prefixes: ["+1"], source: "s" }] } } },
      "#/terms/gb/zones/0/prefixes/0: +1 is not of the country",
    ],
  ])("is refused for %s", (_, change, fault) => {
    expect(() => parseProvider("odd", JSON.stringify({ ...known, ...change }))).toThrow(fault);
  });

  it("is refused if it is not JSON", () => {
    expect(() => parseProvider("odd", "{")).toThrow("not valid JSON");
  });
});
