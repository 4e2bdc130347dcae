import { describe, expect, it } from "@jest/globals";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import { portDate } from "./port-date.ts";
import { scriptFor } from "./script.ts";

const request: CarrierRequest = {
  request_id: "01a1fc57-b585-7195-84b0-011dca65599f",
  provider: "sandbox",
  kind: "submit",
  order_id: "01a1fc57-b585-7195-84b0-000000000001",
  request_version: 1,
  phone_numbers: ["+12125551234", "+12125551235"],
  requirements: [],
  documents: [],
  foc_requested: null,
  foc_actual: null,
  port_out: null,
  forwarding: null,
};

describe("the port date", () => {
  it("is the 7th business day at 10:00 with the number's offset", () => {
    const friday = new Date("2026-11-20T15:00:00Z");
    expect(portDate(friday, "+12125551234")).toBe("2026-12-01T10:00:00-05:00");
    expect(portDate(friday, "+442079460123")).toBe("2026-12-01T10:00:00+00:00");
  });

  it("has the offset of its own day across a change of clocks", () => {
    expect(portDate(new Date("2026-03-04T15:00:00Z"), "+12125551234")).toBe(
      "2026-03-13T10:00:00-04:00",
    );
  });
});

describe("the script of a submit", () => {
  const time = { requestedAt: Date.parse("2026-11-20T15:00:00Z"), stepMs: 1_000 };

  it("acknowledges, dates, activates and turns each number active", () => {
    expect(scriptFor(request, time).map((word) => [word.kind, word.phone_numbers])).toEqual([
      ["acknowledged", undefined],
      ["date_confirmed", undefined],
      ["activating", undefined],
      ["number_active", ["+12125551234"]],
      ["number_active", ["+12125551235"]],
    ]);
  });

  it("confirms the date that was asked for", () => {
    const asked = { ...request, foc_requested: "2026-12-09T11:00:00+01:00" };
    expect(scriptFor(asked, time)[1]?.foc_at).toBe("2026-12-09T11:00:00+01:00");
  });

  it("says the same under the same ids whenever it is played", () => {
    expect(scriptFor(request, time)).toEqual(scriptFor(request, time));
    const ids = scriptFor(request, time).map((word) => word.update_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
