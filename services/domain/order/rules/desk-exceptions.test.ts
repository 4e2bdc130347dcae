import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { deskExceptions, requirementUpdate } from "./desk-exceptions.ts";

const AT = "2026-03-02T14:00:00.000Z";

describe("what a rejection tells the customer", () => {
  it("is an exception for each rejected requirement, in the order given", () => {
    const approved = { slug: "loa", decision: "approve", code: null, reason: null } as const;
    const invoice = {
      ...approved,
      slug: "invoice",
      decision: "reject",
      reason: "Blurred.",
    } as const;
    const name = { ...invoice, slug: "entity_name", code: "entity_name_mismatch" } as const;
    const raised = { raised_by: "desk", raised_at: AT };
    expect(deskExceptions([invoice, approved, name], AT)).toEqual([
      { code: null, detail: "Blurred.", slug: "invoice", ...raised },
      { code: "entity_name_mismatch", detail: "Blurred.", slug: "entity_name", ...raised },
    ]);
  });

  it("is the payload of the event", () => {
    const requirement = { slug: "loa", status: "approved", reason: null } as const;
    expect(requirementUpdate("o", requirement)).toEqual({ porting_order_id: "o", requirement });
  });

  it("is made by a file that imports types alone, so that a browser can load it", () => {
    const text = readFileSync(join(import.meta.dirname, "desk-exceptions.ts"), "utf8");
    const imports = text.match(/^import .*$/gm) ?? [];
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
  });
});
