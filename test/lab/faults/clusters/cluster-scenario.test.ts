import { describe, expect, it } from "@jest/globals";
import { isHeld } from "../scenario-report.ts";
import { outcomeOf } from "./cluster-scenario.ts";

describe("the outcome of a scenario with several brokers or copies", () => {
  const report = {
    figures: { failed_requests: 2 },
    breaches: { eventOnce: [], noRequestFailed: ["2 requests failed"] },
  };

  it("has each figure, and how often each check was breached", () => {
    expect(outcomeOf(report)).toEqual({
      figures: [
        { name: "failed requests", measured: 2, unit: "", target: { kind: "reported" } },
        {
          name: "breaches of: event once",
          measured: 0,
          unit: "",
          target: { kind: "at_most", accept: 0 },
        },
        {
          name: "breaches of: no request failed",
          measured: 1,
          unit: "",
          target: { kind: "at_most", accept: 0 },
        },
      ],
      kills: {},
      breaches: ["2 requests failed"],
    });
  });

  it("is held only without a breach", () => {
    const well = { ...report, breaches: { eventOnce: [] } };
    expect([report, well].map((one) => isHeld(outcomeOf(one)))).toEqual([false, true]);
  });
});
