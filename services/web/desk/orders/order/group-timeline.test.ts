import { describe, expect, it } from "@jest/globals";
import type { TimelineEntry } from "../queries.ts";
import { groupTimeline } from "./group-timeline.ts";

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
