import { describe, expect, it } from "@jest/globals";
import type { TimelineEntry } from "../queries.ts";
import { wordsOf } from "./timeline-words.ts";

function words(kind: TimelineEntry["kind"], data: TimelineEntry["data"]) {
  const actor = { type: "system", id: null, name: null } as const;
  const entry = { id: "1", at: "2026-03-02T14:00:00.000Z", kind, actor, data };
  return wordsOf(entry, (slug) => (slug === "loa" ? "Letter of authorization" : slug));
}

describe("the timeline's words", () => {
  it("name both statuses of a move", () => {
    const data = { previous_status: "in_review", new_status: "submitted" };
    expect(words("status", data).title).toBe("In review → Submitted");
  });

  it("name the old and the new FOC date", () => {
    const data = {
      previous_status: "foc_scheduled",
      new_status: "foc_scheduled",
      previous_foc_actual: "2026-03-02T12:00:00Z",
      foc_actual: "2027-04-05T12:00:00Z",
    };
    expect(words("status", data).title).toMatch(/^FOC date moved: .*2026.* → .*2027/);
    const first = { ...data, previous_status: "in_process", previous_foc_actual: null };
    expect(words("status", first).title).toMatch(/^In process → FOC scheduled, FOC date .*2027/);
  });

  it("quote the reason of a cancellation", () => {
    expect(words("status", { cancel_asked_by: "ops", reason: "Wrong numbers." })).toStrictEqual({
      title: "Cancellation asked for by the desk",
      quote: "Wrong numbers.",
    });
  });

  it("name a requirement as people do", () => {
    const rejected = { slug: "loa", status: "requirement-info-exception", reason: "Unsigned." };
    expect(words("requirement", rejected)).toStrictEqual({
      title: "Letter of authorization rejected",
      quote: "Unsigned.",
    });
    expect(words("requirement", { slug: "loa", rewritten: true }).title).toBe(
      "Letter of authorization provided",
    );
    expect(words("document", { slug: "loa", signer_name: "Ada Byron" }).title).toBe(
      "Letter of authorization signed by Ada Byron",
    );
  });

  it("name what changed, from and to", () => {
    const data = {
      customer_reference: { from: "", to: "A-7" },
      webhook_url: { from: "a.example", to: null },
    };
    expect(words("order", data).title).toBe(
      "Reference changed: none → A-7; Webhook URL changed: a.example → none",
    );
  });

  it("leave the carrier's own words as they are", () => {
    const ignored = { kind: "acknowledged", raw_status: "RCVD 2", request_version: 1 };
    expect(words("ignored", ignored)).toStrictEqual({
      title: "A status update changed nothing (acknowledged)",
      quote: "RCVD 2",
    });
    const failed = { failed: 2, code: "sv_failure", text: "Switch down" };
    expect(words("number", failed)).toStrictEqual({
      title: "2 numbers failed (sv_failure)",
      quote: "Switch down",
    });
  });
});
