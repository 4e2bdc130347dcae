import { describe, expect, it } from "@jest/globals";
import {
  EMPTY_DRAFT,
  isWholeShown,
  lastDecided,
  undo,
  verdictOn,
  withShown,
  withVerdicts,
} from "./draft.ts";

const approve = (slug: string) =>
  ({ slug, decision: "approve", code: null, reason: null }) as const;
const reject = (slug: string) =>
  ({ slug, decision: "reject", code: null, reason: "Old." }) as const;

describe("a draft", () => {
  it("has one verdict on each requirement, the latest", () => {
    const first = withVerdicts(EMPTY_DRAFT, [approve("loa"), approve("invoice")]);
    const draft = withVerdicts(first, [reject("loa")]);
    expect(draft.verdicts).toEqual([approve("invoice"), reject("loa")]);
    expect(verdictOn(draft, "loa")).toEqual(reject("loa"));
    expect(verdictOn(draft, "csr")).toBeNull();
  });

  it("is undone act by act, however many verdicts an act gave", () => {
    const first = withVerdicts(EMPTY_DRAFT, [approve("loa")]);
    const draft = withVerdicts(first, [approve("invoice"), approve("csr"), reject("loa")]);
    expect(undo(draft).verdicts).toEqual([approve("loa")]);
    expect(undo(undo(draft)).verdicts).toEqual([]);
    expect(undo(undo(undo(draft))).verdicts).toEqual([]);
  });

  it("knows what its last act decided", () => {
    const first = withVerdicts(EMPTY_DRAFT, [approve("loa")]);
    const draft = withVerdicts(first, [approve("invoice"), reject("loa")]);
    expect(lastDecided(draft)).toEqual(["invoice", "loa"]);
    expect(lastDecided(undo(draft))).toEqual(["loa"]);
    expect(lastDecided(EMPTY_DRAFT)).toEqual([]);
  });

  it("is not changed by nothing", () => {
    expect(withVerdicts(EMPTY_DRAFT, [])).toBe(EMPTY_DRAFT);
    const shown = withShown(EMPTY_DRAFT, "d1", 1, 2);
    expect(withShown(shown, "d1", 1, 2)).toBe(shown);
  });

  it("has a document as shown once all its pages were", () => {
    const first = withShown(EMPTY_DRAFT, "d1", 1, 2);
    expect([isWholeShown(first, "d1"), isWholeShown(first, "d2")]).toEqual([false, false]);
    expect(isWholeShown(withShown(first, "d2", 2, 2), "d1")).toBe(false);
    expect(isWholeShown(withShown(first, "d1", 2, 2), "d1")).toBe(true);
  });
});
