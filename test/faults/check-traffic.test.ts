import { describe, expect, it } from "@jest/globals";
import { DriverRecord } from "./driver-record.ts";
import { trafficToldOnce } from "./check-traffic.ts";

function recordOf(calls: readonly string[], numbers: readonly string[]): DriverRecord {
  const record = new DriverRecord();
  for (const id of calls) record.calls.add(id);
  for (const number of numbers) record.portOuts.add(number);
  return record;
}

describe("the record of calls and of numbers that left", () => {
  const record = recordOf(["call"], ["number"]);
  const once = { calls: new Map([["call", 1]]), portedOut: new Map([["number", 1]]) };

  it("is told once", () => {
    expect(trafficToldOnce(record, once)).toEqual([]);
  });

  it.each([
    ["a call that is not told", { ...once, calls: new Map<string, number>() }],
    ["a call that is told twice", { ...once, calls: new Map([["call", 2]]) }],
    ["a leaving that is not told", { ...once, portedOut: new Map<string, number>() }],
    [
      "another's call that is told twice",
      {
        ...once,
        calls: new Map([
          ["call", 1],
          ["b", 2],
        ]),
      },
    ],
  ])("is breached by %s", (_case, told) => {
    expect(trafficToldOnce(record, told)).not.toEqual([]);
  });
});
