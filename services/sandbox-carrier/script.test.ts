import { describe, expect, it } from "@jest/globals";
import { buildCarrierRequest } from "../../test/support/carriers/carrier-request-factory.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import { portDate } from "../domain/number/rules/port-date.ts";
import { scriptFor } from "./script.ts";

const request = buildCarrierRequest();

describe("the port date", () => {
  it("is the 7th business day at 10:00 with the number's offset", () => {
    const friday = new Date("2026-11-20T15:00:00Z");
    expect(portDate(friday, "+12125551234")).toBe("2026-12-01T10:00:00-05:00");
    expect(portDate(friday, "+442079460123")).toBe("2026-12-01T10:00:00+00:00");
  });

  it("has the offset of its own day across a daylight saving change", () => {
    expect(portDate(new Date("2026-03-04T15:00:00Z"), "+12125551234")).toBe(
      "2026-03-13T10:00:00-04:00",
    );
  });
});

describe("the script of a submit", () => {
  const time = { requestedAt: Date.parse("2026-11-20T15:00:00Z"), stepMs: 1_000 };

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

  it("confirms the requested date", () => {
    const asked = { ...request, foc_requested: "2026-12-09T11:00:00+01:00" };
    expect(scriptFor(asked, time)[1]?.[0]?.foc_at).toBe("2026-12-09T11:00:00+01:00");
  });

  it("has the same updates under the same ids on every replay", () => {
    expect(scriptFor(request, time)).toEqual(scriptFor(request, time));
    const ids = scriptFor(request, time).map(([report]) => report?.update_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the script for a number that ends in", () => {
  const time = { requestedAt: Date.parse("2026-11-20T15:00:00Z"), stepMs: 1_000 };
  const kindsOf = (ending: string, fields: Partial<CarrierRequest> = {}) => {
    const phone_numbers = ["+12125551234", `+1212555${ending}`];
    const steps = scriptFor({ ...request, phone_numbers, ...fields }, time);
    return steps.map((step) => step.map((report) => report.kind).join(" "));
  };
  const cancel = { kind: "cancel", foc_actual: "2026-12-01T10:00:00-05:00" } as const;
  const corrected = { kind: "supplement", request_version: 2 } as const;
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

  it("9906 moves the date a week, to the same local hour", () => {
    const phone_numbers = ["+12125559906"];
    const steps = scriptFor({ ...request, phone_numbers }, time);
    expect(steps.flat().map((report) => report.foc_at)).toEqual([
      undefined,
      "2026-12-01T10:00:00-05:00",
      "2026-12-08T10:00:00-05:00",
      undefined,
      undefined,
    ]);
  });
});
