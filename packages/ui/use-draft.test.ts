import { describe, expect, it } from "@jest/globals";
import { restOfDraft } from "./use-draft.ts";

describe("what is left of a draft that was sent", () => {
  const sent = "Page 2, please.";

  it.each([
    ["nothing, where nothing was added", " Page 2, please. ", ""],
    ["what was added meanwhile", "Page 2, please. And page 3", "And page 3"],
    ["all, where it was changed meanwhile", "Page 3, please.", "Page 3, please."],
    ["nothing, where nothing is kept any more", "", ""],
  ])("is %s", (_what, draft, rest) => {
    expect(restOfDraft(draft, sent)).toBe(rest);
  });
});
