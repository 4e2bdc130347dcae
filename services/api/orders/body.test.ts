import { describe, expect, it } from "@jest/globals";
import { newOrderBody, patchOrderBody } from "./body.ts";

const NUMBERS = ["+12125550100"];
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

describe("a requested date that is not a date", () => {
  it.each(["", "soon", "2026-12-01T10:00:00", "2027-02-29T10:00:00Z", "2026-12-01T10:00:60Z"])(
    "is reported as that fault alone: %j",
    (foc_requested) => {
      const { error } = newOrderBody.safeParse({ phone_numbers: ["+12125550100"], foc_requested });
      expect(error?.issues.map(({ code, path }) => [code, path.join("/")])).toEqual([
        ["invalid_format", "foc_requested"],
      ]);
    },
  );
});

/** An instant so long from now, as a clock two hours ahead of UTC shows it. */
function inTwoHoursOffset(fromNowMs: number): string {
  const local = new Date(Date.now() + fromNowMs + 120 * MINUTE_MS);
  return local.toISOString().replace("Z", "+02:00");
}

describe("a requested date (docs/contract/customer-api.md, Porting orders)", () => {
  it.each([
    ["a minute ago", -MINUTE_MS, false],
    ["in a minute", MINUTE_MS, true],
    ["in 180 days", 180 * DAY_MS - MINUTE_MS, true],
    ["in more than 180 days", 180 * DAY_MS + MINUTE_MS, false],
  ])("must be in the future, at most 180 days ahead: %s", (_when, fromNowMs, isAccepted) => {
    const foc_requested = inTwoHoursOffset(fromNowMs);
    const made = newOrderBody.safeParse({ phone_numbers: NUMBERS, foc_requested });
    const patched = patchOrderBody.safeParse({ foc_requested });
    expect([made.success, patched.success]).toEqual([isAccepted, isAccepted]);
  });

  it("keeps the offset that it was given", () => {
    const foc_requested = inTwoHoursOffset(10 * DAY_MS);
    const made = newOrderBody.parse({ phone_numbers: NUMBERS, foc_requested });
    expect(made.foc_requested).toBe(foc_requested);
    expect(patchOrderBody.parse({ foc_requested })).toEqual({ foc_requested });
  });
});

describe("the limits of a new order (docs/contract/customer-api.md, Porting orders)", () => {
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, n) => `+1212555${String(n).padStart(4, "0")}`);

  it.each<[string, object, boolean]>([
    ["no number", { phone_numbers: [] }, false],
    ["1,000 numbers", { phone_numbers: numbers(1_000) }, true],
    ["1,001 numbers", { phone_numbers: numbers(1_001) }, false],
    ["a reference of 128 characters", { customer_reference: "x".repeat(128) }, true],
    ["a reference of 129 characters", { customer_reference: "x".repeat(129) }, false],
  ])("for %s", (_what, fields, isAccepted) => {
    const body = { phone_numbers: NUMBERS, ...fields };
    expect(newOrderBody.safeParse(body).success).toBe(isAccepted);
  });
});
