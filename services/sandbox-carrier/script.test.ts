import { describe, expect, it } from "@jest/globals";
import { buildCarrierRequest } from "../../test/support/carriers/carrier-request-factory.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import { readCarriers } from "../domain/carrier/read-carriers.ts";
import { earliestFoc, portTermsOf } from "../domain/terms/rules/port-date.ts";
import { scriptFor } from "./script.ts";

const { terms: termsOf } = readCarriers("data/carriers");
const request = buildCarrierRequest({ country_code: "US", number_type: "local" });

/** What a portability check says of one such number. */
function earliestOf(country_code: string, number_type: string, phone_number: string) {
  const facts = { provider: null, numbers: 1, values: new Map() };
  const terms = portTermsOf(termsOf, { ...facts, country_code, number_type, phone_number });
  return earliestFoc(terms, new Date("2026-11-20T15:00:00Z"));
}

describe("the script of a submit", () => {
  const time = { requestedAt: Date.parse("2026-11-20T15:00:00Z"), stepMs: 1_000, termsOf };

  it("acknowledges, confirms a date, activates and reports each number active", () => {
    const reports = scriptFor(request, time).flat();
    expect(reports.map((report) => [report.kind, report.phone_numbers])).toEqual([
      ["acknowledged", undefined],
      ["date_confirmed", undefined],
      ["activating", undefined],
      ["number_active", ["+12125551234"]],
      ["number_active", ["+12125551235"]],
    ]);
  });

  const focOf = (fields: Partial<CarrierRequest>) =>
    scriptFor({ ...request, ...fields }, time)[1]?.[0]?.foc_at;

  it("confirms the requested date", () => {
    const foc_requested = "2026-12-09T16:30:00+01:00";
    expect(focOf({ foc_requested })).toBe(foc_requested);
  });

  it.each([
    ["+12125551234", "US"],
    ["+442079460123", "GB"],
    ["+4930901820", "DE"],
  ])(
    "confirms the earliest_foc of the order's kind where no date is requested: %s",
    (one, code) => {
      const earliest = earliestOf(code, "local", one);
      const asked = { phone_numbers: [one], country_code: code };
      expect(earliest).not.toBeNull();
      expect(focOf(asked)).toBe(earliest);
      expect(focOf({ ...asked, foc_requested: "2026-11-21T10:00:00Z" })).toBe(earliest);
    },
  );

  it("confirms it for the order's own type", () => {
    const phone_numbers = ["+12125551234"];
    const dates = ["local", "toll_free"].map((number_type) =>
      focOf({ number_type, phone_numbers }),
    );
    const earliest = ["local", "toll_free"].map((type) => earliestOf("US", type, "+12125551234"));
    expect(dates).toEqual(earliest);
    expect(new Set(dates).size).toBe(2);
  });

  it.each([
    ["Thanksgiving", "2026-11-26T11:00:00-05:00", "2026-11-27T10:00:00-05:00"],
    ["a Saturday", "2026-11-28T11:00:00-05:00", "2026-11-30T10:00:00-05:00"],
    ["a Sunday there, a Monday in UTC", "2026-11-30T03:00:00Z", "2026-11-30T10:00:00-05:00"],
  ])("never confirms %s", (_day, foc_requested, confirmed) => {
    expect(focOf({ foc_requested })).toBe(confirmed);
  });

  it("has the same updates under the same ids on every replay", () => {
    expect(scriptFor(request, time)).toEqual(scriptFor(request, time));
    const ids = scriptFor(request, time).map(([report]) => report?.update_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the script for a number that ends in", () => {
  const time = { requestedAt: Date.parse("2026-11-20T15:00:00Z"), stepMs: 1_000, termsOf };
  const kindsOf = (ending: string, fields: Partial<CarrierRequest> = {}) => {
    const phone_numbers = ["+12125551234", `+1212555${ending}`];
    const steps = scriptFor({ ...request, phone_numbers, ...fields }, time);
    return steps.map((step) => step.map((report) => report.kind).join(" "));
  };
  const cancel = { kind: "cancel", foc_actual: "2026-12-01T10:00:00-05:00" } as const;
  const corrected = { kind: "supplement", request_version: 2 } as const;
  const change = { change_id: "1", foc_requested: "2026-12-15T10:00:00-05:00" };
  const takenBack = { ...corrected, foc_actual: "2026-12-01T10:00:00-05:00" } as const;
  const changed = { ...takenBack, change: { ...change, remove_phone_numbers: [] } } as const;
  const straight = [
    "acknowledged",
    "date_confirmed",
    "activating",
    "number_active",
    "number_active",
  ];

  it.each([
    ["9901", {}, ["acknowledged", "rejected"]],
    ["9901", corrected, straight],
    ["9902", {}, ["acknowledged", "rejected"]],
    ["9902", corrected, straight],
    ["9903", {}, ["acknowledged", "refused"]],
    ["9903", corrected, ["acknowledged", "refused"]],
    ["9904", {}, [...straight.slice(0, 4), "number_failed"]],
    ["9904", corrected, straight],
    ["9905", {}, ["acknowledged", "date_confirmed"]],
    ["9905", cancel, ["cancel_refused", ...straight.slice(2)]],
    ["9905", { kind: "cancel" }, ["cancel_refused", ...straight.slice(1)]],
    ["9906", {}, [...straight.slice(0, 2), "date_moved", ...straight.slice(2)]],
    ["9907", {}, []],
    ["9907", cancel, ["cancel_confirmed"]],
    ["9908", {}, ["acknowledged", "date_confirmed"]],
    ["9908", cancel, straight.slice(2)],
    ["9909", cancel, ["cancel_confirmed cancel_confirmed"]],
    ["9910", {}, ["acknowledged", "date_confirmed"]],
    ["9910", changed, ["date_moved", ...straight.slice(2)]],
    ["9910", takenBack, straight.slice(2)],
    ["9911", {}, ["acknowledged", "date_confirmed"]],
    ["9911", changed, ["change_refused", ...straight.slice(2)]],
    [
      "9909",
      {},
      [
        "date_confirmed acknowledged date_confirmed acknowledged",
        "number_active activating number_active activating",
        "number_active number_active",
      ],
    ],
  ] as const)("%s follows %j", (ending, fields, kinds) => {
    expect(kindsOf(ending, fields)).toEqual(kinds);
  });

  it("9912 rejects the code of that number alone, where each has its own", () => {
    const phone_numbers = ["+33612349912", "+33612345601"];
    const requirements = phone_numbers.map((phone_number) => ({
      ...{ slug: "rio_code", phone_number, value: "x", document_id: null },
    }));
    const asked = { ...request, phone_numbers, country_code: "FR", number_type: "mobile" };
    const rejected = scriptFor({ ...asked, requirements }, time).flat()[1];
    expect(rejected).toMatchObject({
      kind: "rejected",
      rejection: { raw_code: "CODE_MISMATCH" },
      phone_numbers: ["+33612349912"],
    });
    expect(scriptFor(asked, time).flat()[1]?.kind).toBe("date_confirmed");
  });

  it("9911 ports a number that was to be removed, and 9910 takes the date that is asked for", () => {
    const asked = { ...change, remove_phone_numbers: ["+12125559911"] };
    const phone_numbers = ["+12125551234"];
    const refused = scriptFor({ ...request, ...changed, phone_numbers, change: asked }, time);
    expect(refused.flat().flatMap((report) => report.phone_numbers ?? [])).toEqual([
      "+12125551234",
      "+12125559911",
    ]);
    const foc_requested = change.foc_requested;
    const accepted = { ...changed, foc_requested, phone_numbers: ["+12125559910"] };
    expect(scriptFor({ ...request, ...accepted }, time)[0]?.[0]?.foc_at).toBe(foc_requested);
  });

  it("9906 moves a date that would fall on a holiday to the next business day", () => {
    const asked = { phone_numbers: ["+12125559906"], foc_requested: "2026-12-18T10:00:00-05:00" };
    const dates = scriptFor({ ...request, ...asked }, time).flatMap(([one]) => one?.foc_at ?? []);
    expect(dates).toEqual(["2026-12-18T10:00:00-05:00", "2026-12-28T10:00:00-05:00"]);
  });

  it("9906 moves the date a week, to the same local hour", () => {
    const phone_numbers = ["+12125559906"];
    const steps = scriptFor({ ...request, phone_numbers }, time);
    expect(steps.flat().map((report) => report.foc_at)).toEqual([
      undefined,
      "2026-11-23T10:00:00-05:00",
      "2026-11-30T10:00:00-05:00",
      undefined,
      undefined,
    ]);
  });
});
