import { describe, expect, it } from "@jest/globals";
import { effectSentence, type Effect } from "./effect-sentence.ts";

function effect(given: Partial<Effect>): Effect {
  return { status: "in_process", numbers: [], events: [], ignored: null, ...given };
}

const active = (phone_number: string) => ({ phone_number, status: "active" }) as const;

describe("the sentence before a carrier update", () => {
  it("says that the order is completed, and what the customer is told", () => {
    const done = effect({
      status: "completed",
      numbers: [active("+12125550123"), active("+12125550124")],
      events: ["porting_order.status_changed", "number.activated", "number.activated"],
    });
    expect(effectSentence("activating", done, null)).toBe(
      "This completes the order. 2 numbers become active. The customer is told of 1 status change and 2 activated numbers.",
    );
  });

  it("names the one number that changes", () => {
    const one = effect({ status: "activating", numbers: [active("+12125550123")] });
    expect(effectSentence("activating", one, null)).toBe(
      "The order stays in Activating. +12125550123 becomes active. The customer is told nothing.",
    );
  });

  it("names the date with its day of the week and its zone", () => {
    const moved = effect({
      status: "foc_scheduled",
      events: ["porting_order.status_changed", "porting_order.new_comment"],
    });
    const focAt = { date: "2026-12-03", time: "10:00", zone: "America/New_York" };
    expect(effectSentence("foc_scheduled", moved, focAt)).toMatch(
      /^The order stays in FOC scheduled\. The FOC date becomes Thu.* 2026, 10:00 America\/New_York\. The customer is told of the new FOC date and 1 comment\.$/,
    );
  });

  it("says why nothing changes, and what is told all the same", () => {
    const ignored = { code: "no_effect", detail: "The order is completed already." };
    expect(effectSentence("completed", effect({ ignored }), null)).toBe(
      "This changes nothing: The order is completed already.",
    );
    const events: Effect["events"] = ["porting_order.new_comment"];
    expect(effectSentence("completed", effect({ ignored, events }), null)).toContain(
      "The customer is told of 1 comment all the same.",
    );
  });
});
