import { describe, expect, it } from "@jest/globals";
import { findBodyFaults } from "../../platform/http/body/find-faults.ts";
import { findFocFaults, newOrderBody, patchOrderBody } from "./body.ts";
import { INVALID_NUMBER } from "./plan-orders.ts";

const NUMBERS = ["+12125550100"];

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

describe("a requested date", () => {
  const seconds = "2026-12-01T10:00:00";

  it("may have nanoseconds", () => {
    const foc_requested = `${seconds}.123456789+05:30`;
    expect(newOrderBody.parse({ phone_numbers: NUMBERS, foc_requested })).toMatchObject({
      foc_requested,
    });
  });

  it.each([`${seconds}.1234567890+05:30`, `${seconds}.${"0".repeat(1_000_000)}Z`])(
    "is not longer than that: %.40s…",
    (foc_requested) => {
      const order = { phone_numbers: NUMBERS, foc_requested };
      for (const [shape, body] of [
        [newOrderBody, order] as const,
        [patchOrderBody, { foc_requested }] as const,
      ]) {
        const { error } = shape.safeParse(body);
        expect(error?.issues).toMatchObject([
          { code: "too_big", maximum: 35, path: ["foc_requested"] },
        ]);
      }
    },
  );

  it.each(["2020-01-01T00:00:00+02:00", "2999-01-01T00:00:00Z"])(
    "fits by its form, whatever the time is, and keeps its offset: %s",
    (foc_requested) => {
      const made = newOrderBody.parse({ phone_numbers: NUMBERS, foc_requested });
      expect(made.foc_requested).toBe(foc_requested);
      expect(patchOrderBody.parse({ foc_requested })).toMatchObject({ patch: { foc_requested } });
    },
  );
});

describe("the numbers of a new order", () => {
  it.each<[unknown]>([[123], [null], [{}], [["+12125550100"]]])(
    "are an invalid number each that is not a text: %j",
    (number) => {
      const body = { phone_numbers: [NUMBERS[0], number] };
      const { error } = newOrderBody.safeParse(body);
      const faults = error === undefined ? [] : findBodyFaults(error, body);
      expect(faults).toEqual([{ pointer: "#/phone_numbers/1", ...INVALID_NUMBER }]);
    },
  );
});

describe("the losing carrier of a new order", () => {
  const parse = (losing_carrier: unknown) =>
    newOrderBody.safeParse({ phone_numbers: NUMBERS, losing_carrier });

  it("is trimmed", () => {
    expect(parse(`  ${"x".repeat(64)}\n`).data?.losing_carrier).toBe("x".repeat(64));
  });

  it.each(["", "  ", "\u00a0"])("is not blank: %j", (losing_carrier) => {
    const issues = parse(losing_carrier).error?.issues.map(({ code, path }) => [code, path]);
    expect(issues).toEqual([["too_small", ["losing_carrier"]]]);
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
    ["a reference of 128 emojis", { customer_reference: "📞".repeat(128) }, true],
    ["a reference of 129 emojis", { customer_reference: "📞".repeat(129) }, false],
    ["a losing carrier of 64 emojis", { losing_carrier: "📞".repeat(64) }, true],
    ["a losing carrier of 65 emojis", { losing_carrier: "📞".repeat(65) }, false],
  ])("for %s", (_what, fields, isAccepted) => {
    const body = { phone_numbers: NUMBERS, ...fields };
    expect(newOrderBody.safeParse(body).success).toBe(isAccepted);
  });
});

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
