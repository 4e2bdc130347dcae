import { describe, expect, it } from "@jest/globals";
import { bodyOf, emptyDraft, missingIn, type UpdateDraft } from "./update-draft.ts";

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
