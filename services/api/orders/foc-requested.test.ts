import { describe, expect, it } from "@jest/globals";
import { findFocFaults } from "./foc-requested.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** An instant so long from now, as a clock two hours ahead of UTC shows it. */
function inTwoHoursOffset(fromNowMs: number): string {
  const local = new Date(NOW.getTime() + fromNowMs + 120 * MINUTE_MS);
  return local.toISOString().replace("Z", "+02:00");
}

describe("a requested date (docs/contract/customer-api.md, Porting orders)", () => {
  it.each([
    ["a minute ago", -MINUTE_MS, ["date_out_of_range"]],
    ["now", 0, ["date_out_of_range"]],
    ["in a minute", MINUTE_MS, []],
    ["in 180 days", 180 * DAY_MS, []],
    ["in more than 180 days", 180 * DAY_MS + 1, ["date_out_of_range"]],
  ])("must be in the future, at most 180 days ahead: %s", (_when, fromNowMs, codes) => {
    const faults = findFocFaults(inTwoHoursOffset(fromNowMs), NOW);
    expect(faults.map(({ code }) => code)).toEqual(codes);
  });

  it("may be absent", () => {
    expect([...findFocFaults(undefined, NOW), ...findFocFaults(null, NOW)]).toEqual([]);
  });

  it("is refused with the times between which it must be", () => {
    expect(findFocFaults("2026-02-01T00:00:00Z", NOW)).toEqual([
      {
        pointer: "#/foc_requested",
        code: "date_out_of_range",
        detail:
          "It must be in the future and at most 180 days ahead: after 2026-03-01T12:00:00.000Z, until 2026-08-28T12:00:00.000Z.",
      },
    ]);
  });
});
