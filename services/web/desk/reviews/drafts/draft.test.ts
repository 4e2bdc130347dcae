import { describe, expect, it } from "@jest/globals";
import { EMPTY_DRAFT, undo, verdictOn, withSeen, withVerdicts } from "./draft.ts";

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

  it("is not changed by nothing", () => {
    expect(withVerdicts(EMPTY_DRAFT, [])).toBe(EMPTY_DRAFT);
    const seen = withSeen(EMPTY_DRAFT, "d1");
    expect(seen.seen).toEqual(["d1"]);
    expect(withSeen(seen, "d1")).toBe(seen);
  });
});
