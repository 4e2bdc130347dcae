import { describe, expect, it } from "@jest/globals";
import type { Comment, TimelineEntry } from "../queries.ts";
import { conversationOf } from "./conversation.ts";

const ada = { id: "ada", name: "Ada Byron" };

const comment: Comment = {
  id: "1",
  body: "Please sign again.",
  author_type: "ops",
  author: ada,
  internal: false,
  created_at: "2026-03-02T14:00:00.000Z",
};

function entry(kind: TimelineEntry["kind"], at: string): TimelineEntry {
  return { id: at, at, kind, actor: { type: "desk", ...ada }, data: { body: "Call Dana." } };
}

describe("comments and notes of an order", () => {
  it("are one conversation, the latest first, in which notes are marked", () => {
    const note = entry("note", "2026-03-02T15:00:00.000Z");
    expect(conversationOf([comment], [note])).toMatchObject([
      { who: "Ada Byron", body: "Call Dana.", isInternal: true, isToCustomer: false },
      { who: "Ada Byron", body: "Please sign again.", isInternal: false, isToCustomer: true },
    ]);
  });

  it("show a comment once, though the timeline has it too", () => {
    const again = entry("comment", "2026-03-02T14:00:00.000Z");
    expect(conversationOf([comment], [again])).toHaveLength(1);
  });
});
