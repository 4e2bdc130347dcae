import { describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../../infra/project-root.ts";
import { ACTIONS, actionGroups, changesOf, sentenceOf } from "./audit-entries.ts";

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

describe("an entry of the audit log as a sentence", () => {
  const sentence = (action: string, after: object | null = null, before: object | null = null) =>
    sentenceOf({ action, before: before as never, after: after as never });

  it("says what was done, with what the entry has of it", () => {
    expect(sentence("account.renamed", { name: "Acme" }, { name: "Acne" })).toBe(
      "renamed the account from Acne to Acme",
    );
    expect(sentence("account.suspended", { reason: "unpaid" })).toBe(
      "suspended the account: unpaid",
    );
    expect(sentence("operator.added", { operator: { id: "1", name: "Ann Reed" } })).toBe(
      "added an operator, Ann Reed",
    );
    expect(sentence("account.renamed")).toBe("renamed the account");
    expect(sentence("sandbox_call.started")).toBe("did “sandbox call: started”");
  });

  it("counts the approvals of a decision, and names the rejections", () => {
    const approved = { slug: "entity_name", decision: "approve" };
    const rejected = {
      slug: "account_number",
      decision: "reject",
      code: "account_number_mismatch",
      reason: "The invoice has another.",
    };
    expect(sentence("review.decided", { confirm: true, decisions: [approved, approved] })).toBe(
      "approved 2 fields and confirmed the order",
    );
    expect(sentence("review.decided", { confirm: false, decisions: [approved, rejected] })).toBe(
      "approved a field and rejected account number: account number mismatch",
    );
  });

  it("has words for every action that a service writes", () => {
    const folder = join(projectRoot, "services");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .filter((text) => text.includes("writeAudit") || text.includes("ByOperator"));
    const written = sources.flatMap((text) =>
      [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, action = ""]) => action),
    );
    const subjects = new Set(actionGroups().map(([subject]) => subject.replaceAll(" ", "_")));
    const audited = written.filter((action) => subjects.has(action.split(".", 1)[0] ?? ""));
    expect(new Set(audited).size).toBeGreaterThan(30);
    expect(audited.filter((action) => !(action in ACTIONS))).toEqual([]);
  });
});
