import { describe, expect, it } from "@jest/globals";
import { DriverRecord } from "./run-progress.ts";
import { trafficLoggedOnce } from "./traffic.ts";

function recordOf(calls: readonly string[], numbers: readonly string[]): DriverRecord {
  const record = new DriverRecord();
  for (const id of calls) record.calls.add(id);
  for (const number of numbers) record.portOuts.add(number);
  return record;
}

describe("the record of calls and port-outs", () => {
  const record = recordOf(["call"], ["number"]);
  const once = { calls: new Map([["call", 1]]), portedOut: new Map([["number", 1]]) };

  it("accepts each logged once", () => {
    expect(trafficLoggedOnce(record, once)).toEqual([]);
  });

  it.each([
    ["a call that is not logged", { ...once, calls: new Map<string, number>() }],
    ["a call that is logged twice", { ...once, calls: new Map([["call", 2]]) }],
    ["a port-out that is not logged", { ...once, portedOut: new Map<string, number>() }],
    [
      "another client's call that is logged twice",
      {
        ...once,
        calls: new Map([
          ["call", 1],
          ["b", 2],
        ]),
      },
    ],
  ])("is breached by %s", (_case, logged) => {
    expect(trafficLoggedOnce(record, logged)).not.toEqual([]);
  });
});
