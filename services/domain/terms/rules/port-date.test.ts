import { describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { readCarriers } from "../../carrier/read-carriers.ts";
import { ORDER_KINDS } from "../../requirement/rules/catalogue.ts";
import {
  allowedFocWindows,
  confirmedFoc,
  earliestFoc,
  findFocFault,
  movedFoc,
  portTermsOf,
  type PortFacts,
  type PortTerms,
} from "./port-date.ts";

const { terms: termsOf } = readCarriers("data/carriers");

function termsFor(facts: Partial<PortFacts>): PortTerms {
  const terms = portTermsOf(termsOf, {
    country_code: "US",
    number_type: "local",
    provider: null,
    phone_number: "+12125551234",
    numbers: 2,
    values: new Map(),
    ...facts,
  });
  if (terms === null) throw new Error("no such kind");
  return terms;
}

/** Terms of New York's days and hours, whatever the shipped files say. */
const PLAIN: PortTerms = {
  zone: "America/New_York",
  cutOff: "13:00",
  lead: { days: 3, counts: [1, 2, 3, 4, 5] },
  days: [1, 2, 3, 4, 5],
  windows: [
    { from: "10:00", to: "12:00" },
    { from: "14:00", to: "17:00" },
  ],
  isOff: (day) => day.toFormat("yyyy-MM-dd") === "2026-11-26",
};

describe("the earliest port date", () => {
  it("exists for every kind that can be ordered, on a working day after now", () => {
    const now = new Date("2026-11-20T09:00:00Z");
    for (const kind of ORDER_KINDS) {
      const foc = earliestFoc(termsFor({ ...kind, phone_number: "" }), now) ?? "";
      expect(Date.parse(foc)).toBeGreaterThan(now.getTime());
      expect(new Date(`${foc.slice(0, 10)}T00:00:00Z`).getUTCDay()).not.toBe(0);
    }
  });

  it.each([
    ["before the cut-off: that day is the first", "2026-11-20T17:59:59Z", "25T10:00:00-05:00"],
    [
      "at the cut-off: the next day is the first; Thanksgiving is skipped",
      "2026-11-20T18:00:00Z",
      "27T10:00:00-05:00",
    ],
    ["on a Saturday: Monday is the first", "2026-11-21T15:00:00Z", "27T10:00:00-05:00"],
    ["on the local Friday, Saturday in UTC", "2026-11-21T03:00:00Z", "27T10:00:00-05:00"],
  ])("%s", (_case, now, expected) => {
    expect(earliestFoc(PLAIN, new Date(now))).toBe(`2026-11-${expected}`);
  });

  it("has the offset of its own day", () => {
    const foc = earliestFoc(PLAIN, new Date("2026-03-05T15:00:00Z"));
    expect(foc).toBe("2026-03-10T10:00:00-04:00");
  });

  it("with no lead time is later the same day", () => {
    const now = new Date("2026-11-20T16:30:00Z");
    expect(earliestFoc({ ...PLAIN, lead: { ...PLAIN.lead, days: 0 } }, now)).toBe(
      "2026-11-20T11:30:00-05:00",
    );
  });

  it("is null for a kind that cannot be ordered", () => {
    expect(earliestFoc(null, new Date())).toBeNull();
    for (const kind of [
      { country_code: "BR", number_type: "local" },
      { country_code: "FR", number_type: "shared_cost" },
      { country_code: null, number_type: null },
    ]) {
      const facts = { ...kind, provider: null, phone_number: "", numbers: 1, values: new Map() };
      expect(portTermsOf(termsOf, facts)).toBeNull();
    }
  });

  it("ends its search where no day is one of work", () => {
    const never = { ...PLAIN, isOff: () => true };
    expect(() => earliestFoc(never, new Date())).toThrow("no working day in a year");
  });
});

describe("a requested port date", () => {
  const now = new Date("2026-11-20T15:00:00Z");

  it.each([
    ["at the earliest", "2026-11-25T10:00:00-05:00"],
    ["inside a window, in another offset", "2026-11-25T20:30:00Z"],
    ["when a window closes", "2026-11-30T17:00:00-05:00"],
  ])("%s is possible", (_when, wanted) => {
    expect(findFocFault(PLAIN, wanted, now)).toBeNull();
    expect(confirmedFoc(PLAIN, { wanted, requestedAt: now })).toBe(wanted);
  });

  it.each([
    ["before the earliest", "2026-11-24T10:00:00-05:00", "2026-11-25T10:00:00-05:00"],
    ["on a Sunday at three", "2026-11-29T03:00:00-05:00", "2026-11-30T10:00:00-05:00"],
    ["on a day off", "2026-11-26T10:00:00-05:00", "2026-11-27T10:00:00-05:00"],
    ["between two windows", "2026-11-25T13:00:00-05:00", "2026-11-25T14:00:00-05:00"],
    ["after the last window", "2026-11-25T17:00:01-05:00", "2026-11-27T10:00:00-05:00"],
  ])("%s is refused with the next three, and would be kept at the first", (_when, wanted, next) => {
    const fault = findFocFault(PLAIN, wanted, now);
    expect(fault).toMatchObject({ pointer: "#/foc_requested", code: "foc_not_possible" });
    expect(fault?.detail).toContain(`The next possible times: ${next}, `);
    expect(fault?.detail.match(/T\d\d:/g)).toHaveLength(3);
    expect(confirmedFoc(PLAIN, { wanted, requestedAt: now })).toBe(next);
  });

  it("is not judged where there is none, or no terms are known", () => {
    expect(findFocFault(PLAIN, null, now)).toBeNull();
    expect(findFocFault(null, "2026-11-29T03:00:00-05:00", now)).toBeNull();
  });
});

describe("the windows of a span", () => {
  const now = new Date("2026-11-20T15:00:00Z");

  it("begin at the earliest date, and end with the span", () => {
    const until = new Date("2026-11-27T16:00:00Z");
    expect(allowedFocWindows(PLAIN, { now, from: now, until })).toEqual([
      { opens_at: "2026-11-25T10:00:00-05:00", closes_at: "2026-11-25T12:00:00-05:00" },
      { opens_at: "2026-11-25T14:00:00-05:00", closes_at: "2026-11-25T17:00:00-05:00" },
      { opens_at: "2026-11-27T10:00:00-05:00", closes_at: "2026-11-27T12:00:00-05:00" },
    ]);
  });

  it("are none where the span ends before the earliest date", () => {
    expect(allowedFocWindows(PLAIN, { now, from: now, until: now })).toEqual([]);
  });
});

describe("the date that a losing carrier confirms", () => {
  it("is never before the earliest nor outside a window, whatever moment and wish", () => {
    const requested = Date.parse("2026-11-20T15:00:00Z");
    for (let hours = 0; hours < 60 * 24; hours += 7) {
      const requestedAt = new Date(requested + hours * 3_600_000);
      const wanted = new Date(requestedAt.getTime() + (hours % 15) * 86_400_000).toISOString();
      const confirmed = confirmedFoc(PLAIN, { wanted, requestedAt });
      expect(findFocFault(PLAIN, confirmed, requestedAt)).toBeNull();
    }
  });

  it.each([
    ["when summer time ends", "2026-10-28T10:00:00-04:00", "2026-11-04T10:00:00-05:00"],
    ["when it begins", "2027-03-10T10:00:00-05:00", "2027-03-17T10:00:00-04:00"],
    ["beside it", "2026-12-01T10:00:00-05:00", "2026-12-08T10:00:00-05:00"],
    ["onto a day off", "2026-11-19T10:00:00-05:00", "2026-11-27T10:00:00-05:00"],
  ])("is moved by a week to the same hour of the number's clock, %s", (_when, confirmed, moved) => {
    expect(movedFoc(confirmed, PLAIN)).toBe(moved);
  });

  it("exists for a number of no country that can be ordered", () => {
    const requestedAt = new Date("2026-11-20T15:00:00Z");
    expect(confirmedFoc(null, { wanted: null, requestedAt })).toBe("2026-11-27T15:00:00Z");
    expect(movedFoc("2026-11-27T15:00:00Z", null)).toBe("2026-12-04T15:00:00Z");
  });
});

describe("the terms of an order", () => {
  it("depend on its numbers and values; one that is not given fits no condition", () => {
    const rules = [
      { days: 20, when: { numbers_from: 31, values: { line_type: ["multi"] } } },
      { days: 10, when: { values: { line_type: ["multi"] } } },
      { days: 4 },
    ].map((rule) => ({ ...rule, source: "a test" }));
    const gb = termsOf("GB", null);
    const local = gb?.kinds.local;
    if (gb === null || local === undefined) throw new Error("GB has terms");
    const changed = { ...gb, kinds: { local: { ...local, lead_times: rules } } };
    const leadOf = (numbers: number, line: string | null): number | undefined =>
      portTermsOf(() => changed, {
        ...{ country_code: "GB", number_type: "local", provider: null, phone_number: "" },
        numbers,
        values: new Map([["line_type", line]]),
      })?.lead.days;
    expect([leadOf(40, "multi"), leadOf(2, "multi"), leadOf(40, "single")]).toEqual([20, 10, 4]);
    expect([leadOf(40, null), leadOf(2, null)]).toEqual([4, 4]);
  });

  it("have the zone of the number's longest prefix", () => {
    const plain = termsOf("US", null);
    if (plain === null) throw new Error("the US has terms");
    const zones = [
      { time_zone: "America/Chicago", prefixes: ["+13"], source: "a test" },
      { time_zone: "America/Los_Angeles", prefixes: ["+1310", "+1213"], source: "a test" },
    ];
    const zoneOfNumber = (phone_number: string): string | undefined =>
      portTermsOf(() => ({ ...plain, zones }), {
        ...{ country_code: "US", number_type: "local", provider: null, phone_number },
        ...{ numbers: 1, values: new Map() },
      })?.zone;
    expect(["+13105551234", "+13125551234", "+12125551234"].map(zoneOfNumber)).toEqual([
      "America/Los_Angeles",
      "America/Chicago",
      "America/New_York",
    ]);
  });

  it("have holidays of the country, of its regions, and further days off", () => {
    const gb = termsOf("GB", null);
    if (gb === null) throw new Error("GB has terms");
    const holidays = { of: "GB", regions: ["ENG"], dates: ["2026-12-24"], source: "a test" };
    const off = portTermsOf(() => ({ ...gb, holidays }), {
      ...{ country_code: "GB", number_type: "local", provider: null, phone_number: "" },
      ...{ numbers: 1, values: new Map() },
    })?.isOff;
    const days = ["2026-08-31", "2026-12-24", "2026-12-25", "2026-12-23"];
    const isOff = days.map((day) => off?.(DateTime.fromISO(day)));
    expect(isOff).toEqual([true, true, true, false]);
  });
});
