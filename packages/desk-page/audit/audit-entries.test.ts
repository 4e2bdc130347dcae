import { describe, expect, it } from "@jest/globals";
import { changesOf } from "./audit-entries.ts";

describe("what an entry of the audit log changed", () => {
  it("is only what differs, with what names the thing once", () => {
    const before = { port_out_id: "po-1", status: "decision_required" };
    const after = { port_out_id: "po-1", status: "rejected", code: "pin_invalid", reason: null };
    expect(changesOf(before, after)).toEqual([
      { name: "port out id", was: null, is: "po-1", isChanged: false },
      { name: "status", was: "decision required", is: "rejected", isChanged: true },
      { name: "code", was: null, is: "pin invalid", isChanged: true },
    ]);
  });

  it("strikes out nothing that a carrier's update left as it was, and reads its effect in words", () => {
    const before = { status: "in_process", provider_status: "RECEIVED" };
    const effect = {
      status: "in_process",
      numbers: [{ phone_number: "+12125550123", status: "active" }],
      events: [],
      ignored: null,
    };
    expect(changesOf(before, { raw_status: "PORTED", effect })).toEqual([
      { name: "provider status", was: null, is: "RECEIVED", isChanged: false },
      { name: "raw status", was: null, is: "PORTED", isChanged: true },
      {
        name: "numbers",
        was: null,
        is: "phone number +12125550123, status active",
        isChanged: true,
      },
    ]);
    const ignored = { code: "no_effect", detail: "It changes nothing." };
    expect(changesOf(null, { effect: { ...effect, numbers: [], ignored } })).toContainEqual(
      expect.objectContaining({ name: "ignored", is: "It changes nothing." }),
    );
  });

  it("names a claimer, and what was there where it is gone", () => {
    const ann = { id: "1", name: "Ann Reed" };
    expect(changesOf({ attempt: 1, claimed_by: ann }, { claimed_by: null })).toEqual([
      { name: "attempt", was: null, is: "1", isChanged: false },
      { name: "claimed by", was: "Ann Reed", is: null, isChanged: true },
    ]);
    expect(changesOf({ role: "lead" }, null)).toEqual([
      { name: "role", was: "lead", is: null, isChanged: true },
    ]);
  });
});
