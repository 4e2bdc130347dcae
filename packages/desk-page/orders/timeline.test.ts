import { describe, expect, it } from "@jest/globals";
import type { Comment, TimelineEntry } from "./orders.ts";
import { conversationOf, groupTimeline, wordsOf } from "./timeline.ts";

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

let next = 0;

function entry(
  kind: TimelineEntry["kind"],
  data: TimelineEntry["data"],
  minute = 0,
): TimelineEntry {
  next += 1;
  const at = `2026-03-02T14:${String(minute).padStart(2, "0")}:00.000Z`;
  return { id: `${next}`, at, kind, actor: { type: "desk", id: "ada", name: null }, data };
}

const approved = (slug: string, minute = 0) =>
  entry("requirement", { slug, status: "approved" }, minute);
const titles = (entries: readonly TimelineEntry[]) =>
  groupTimeline(entries, (slug) => slug.toUpperCase()).map(({ title }) => title);

describe("the timeline's lines", () => {
  it("are one for what one person did alike one after the other", () => {
    const move = entry("status", { previous_status: "in_review", new_status: "submitted" });
    expect(titles([move, approved("invoice"), approved("loa")])).toStrictEqual([
      "In review → Submitted",
      "LOA, INVOICE approved",
    ]);
  });

  it("are apart for another verb, another person, another time, or a reason", () => {
    const rewritten = entry("requirement", { slug: "loa", rewritten: true });
    expect(titles([approved("loa"), rewritten])).toHaveLength(2);
    const other = { ...approved("loa"), actor: { type: "desk", id: "bob", name: null } } as const;
    expect(titles([approved("invoice"), other])).toHaveLength(2);
    expect(titles([approved("invoice", 30), approved("loa", 5)])).toHaveLength(2);
    const status = "requirement-info-exception";
    const rejected = (slug: string) => entry("requirement", { slug, status, reason: "Illegible." });
    expect(titles([rejected("loa"), rejected("invoice")])).toHaveLength(2);
  });
});

const ada = { id: "ada", name: "Ada Byron" };

const comment: Comment = {
  id: "1",
  body: "Please sign again.",
  author_type: "ops",
  author: ada,
  internal: false,
  created_at: "2026-03-02T14:00:00.000Z",
};

function entryAt(kind: TimelineEntry["kind"], at: string): TimelineEntry {
  return { id: at, at, kind, actor: { type: "desk", ...ada }, data: { body: "Call Dana." } };
}

describe("comments and notes of an order", () => {
  it("are one conversation, the latest first, in which notes are marked", () => {
    const note = entryAt("note", "2026-03-02T15:00:00.000Z");
    expect(conversationOf([comment], [note])).toMatchObject([
      { who: "Ada Byron", body: "Call Dana.", isInternal: true, isToCustomer: false },
      { who: "Ada Byron", body: "Please sign again.", isInternal: false, isToCustomer: true },
    ]);
  });

  it("show a comment once, though the timeline has it too", () => {
    const again = entryAt("comment", "2026-03-02T14:00:00.000Z");
    expect(conversationOf([comment], [again])).toHaveLength(1);
  });
});
