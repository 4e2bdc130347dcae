import { describe, expect, it } from "@jest/globals";
import {
  bodyOf,
  effectSentence,
  emptyDraft,
  missingIn,
  type Effect,
  type UpdateDraft,
} from "./update-draft.ts";

const now = Date.parse("2026-03-02T14:00:00.000Z");

function draft(given: Partial<UpdateDraft> = {}): UpdateDraft {
  const empty = emptyDraft({ now, zone: "America/New_York", version: 2 });
  return { ...empty, kind: "acknowledged", rawStatus: " RECEIVED ", ...given };
}

describe("a carrier update that is being written", () => {
  it("is sent with the carrier's word, its time with the zone's offset and the request that it answers", () => {
    expect(bodyOf(draft())).toStrictEqual({
      kind: "acknowledged",
      raw_status: "RECEIVED",
      request_version: 2,
      occurred_at: "2026-03-02T09:00:00-05:00",
    });
  });

  it("leaves out what the kind does not ask for", () => {
    const typed = {
      foc: { date: "2026-03-09", time: "09:00", zone: "UTC" },
      rawCode: "pin_invalid",
      rawText: "Wrong PIN",
      numbers: ["+12125550123"],
    };
    expect(Object.keys(bodyOf(draft(typed)))).not.toEqual(
      expect.arrayContaining(["foc_at", "rejection", "phone_numbers"]),
    );
    expect(bodyOf(draft({ ...typed, kind: "date_confirmed" })).foc_at).toBe(
      "2026-03-09T09:00:00+00:00",
    );
    const failed = bodyOf(draft({ ...typed, kind: "number_failed" }));
    expect(failed.rejection).toStrictEqual({ raw_code: "pin_invalid", raw_text: "Wrong PIN" });
    expect(failed.phone_numbers).toStrictEqual(["+12125550123"]);
    const named = bodyOf(draft({ ...typed, kind: "rejected", slug: "invoice" }));
    expect(named.rejection?.slug).toBe("invoice");
  });

  it("says at each field what is missing", () => {
    expect(missingIn(draft())).toStrictEqual({});
    expect(Object.keys(missingIn(draft({ rawStatus: " " })))).toStrictEqual(["#/raw_status"]);
    expect(Object.keys(missingIn(draft({ kind: "date_moved" })))).toStrictEqual(["#/foc_at"]);
    expect(Object.keys(missingIn(draft({ kind: "rejected" })))).toStrictEqual([
      "#/rejection/raw_code",
    ]);
    expect(missingIn(draft({ kind: "refused" }))).toStrictEqual({});
    expect(Object.keys(missingIn(draft({ kind: "comment" })))).toStrictEqual(["#/comment"]);
    expect(Object.keys(missingIn(draft({ kind: "number_active", numbers: [] })))).toStrictEqual([
      "#/phone_numbers",
    ]);
  });
});

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
      "This completes the order. 2 numbers become live. The customer is told of 1 status change and 2 activated numbers.",
    );
  });

  it("names the one number that changes", () => {
    const one = effect({ status: "activating", numbers: [active("+12125550123")] });
    expect(effectSentence("activating", one, null)).toBe(
      "The order stays in Activating. +12125550123 becomes live. The customer is told nothing.",
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
