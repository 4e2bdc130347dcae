import { describe, expect, it } from "@jest/globals";
import { buildCase } from "../../../test/support/desk/review-case-factory.ts";
import { orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import { OPERATOR_ROLES } from "../../domain/account/rules/operator-role.ts";
import type { ReviewCase } from "../../domain/review/rules/review-case.ts";
import { decideClaim, requireAssignee, requireLead, type ClaimAct } from "./claim-case.ts";

const MINUTE_MS = 60_000;
const at = (minutes: number): Date => new Date(T0.getTime() + minutes * MINUTE_MS);
const UNTIL = at(30);
/** In minutes. */
const DAY = 24 * 60;

const CLAIM: ClaimAct = { act: "claim" };
const RELEASE: ClaimAct = { act: "release" };
const TAKE_OVER: ClaimAct = { act: "take_over", reason: "She is ill." };
const assignTo = (operatorId: string): ClaimAct => ({ act: "assign", operatorId });

/** What becomes of a case when Eve acts on it at `T0`. */
const decided = (one: Partial<ReviewCase>, act: ClaimAct, order = orderIn("in_review")) =>
  decideClaim({ order, one: buildCase(one) }, act, { by: "eve", now: T0, until: UNTIL });

const handover = { from: "ada", by: "lea", reason: null, at: at(-5).toISOString() };
const free = {};
const lapsed = { claimed_by: "ada", claimed_by_name: "Ada", claimed_until: T0, handover };
const others = { ...lapsed, claimed_until: at(1) };
const own = { ...others, claimed_by: "eve", claimed_by_name: "Eve" };
const claimed = expect.objectContaining({
  code: "claimed",
  message: `Ada has claimed the case until ${at(1).toISOString()}.`,
});

describe("a claim on a review case", () => {
  const fresh = { operatorId: "eve", until: UNTIL, handover: null };

  it("is given where nobody has one, or it has lapsed this very moment", () => {
    expect(decided(free, CLAIM)).toEqual({ claim: fresh, holder: null });
    expect(decided(lapsed, CLAIM)).toEqual({ claim: fresh, holder: null });
  });

  it("of the operator's own lasts the whole time again, and stays handed over", () => {
    expect(decided(own, CLAIM)).toEqual({ claim: { ...fresh, handover }, holder: "eve" });
  });

  it("of another operator refuses a claim and a release until it lapses", () => {
    for (const act of [CLAIM, RELEASE]) expect(() => decided(others, act)).toThrow(claimed);
  });

  it("is released by who has it, which changes nothing where it has lapsed", () => {
    expect(decided(own, RELEASE)).toEqual({ claim: null, holder: "eve" });
    expect(decided(lapsed, RELEASE)).toBeNull();
    expect(decided(free, RELEASE)).toBeNull();
  });

  it("is taken over from another operator, which says so; where nobody has one it is a claim", () => {
    const now = T0.toISOString();
    const taken = { from: "ada", by: "eve", reason: "She is ill.", at: now, seen_at: now };
    expect(decided(others, TAKE_OVER)).toEqual({
      claim: { ...fresh, handover: taken },
      holder: "ada",
    });
    expect(decided(lapsed, TAKE_OVER)).toEqual({ claim: fresh, holder: null });
  });

  it("is assigned to any operator, whoever has it, and stays as it is for who has it", () => {
    const assigned = (from: string | null) => ({
      ...{ operatorId: "bea", until: at(DAY) },
      handover: { from, by: "eve", reason: null, at: T0.toISOString(), seen_at: null },
    });
    expect(decided(free, assignTo("bea"))).toEqual({ claim: assigned(null), holder: null });
    // A claim that has lapsed is taken from nobody.
    expect(decided(lapsed, assignTo("bea"))).toEqual({ claim: assigned(null), holder: null });
    expect(decided(others, assignTo("bea"))).toEqual({ claim: assigned("ada"), holder: "ada" });
    expect(decided(others, assignTo("ada"))).toEqual({
      claim: { operatorId: "ada", until: UNTIL, handover },
      holder: "ada",
    });
  });

  it("that was assigned lasts until the case is due, a day at the least, and as any claim once it is seen", () => {
    const lasts = (due_at: Date) => decided({ due_at }, assignTo("bea"))?.claim?.until;
    expect([lasts(at(3 * DAY)), lasts(at(5))]).toEqual([at(3 * DAY), at(DAY)]);
    const unseen = { ...handover, seen_at: null };
    const seen = { ...handover, seen_at: T0.toISOString() };
    const assigned = { ...own, claimed_until: at(DAY), handover: unseen };
    expect(decided(assigned, CLAIM)?.claim).toEqual({ ...fresh, handover: seen });
    expect(decided({ ...assigned, handover: seen }, CLAIM)?.claim).toEqual({
      ...fresh,
      handover: seen,
    });
  });

  it.each([
    ["was decided", { state: "decided" }, orderIn("in_review")],
    ["was withdrawn", { state: "withdrawn" }, orderIn("in_review")],
    ["is of an earlier attempt", {}, orderIn("in_review", { review_attempt: 2 })],
    ["is of an order that has left the review", {}, orderIn("submitted")],
  ] as const)("is refused where the case %s", (_, one, order) => {
    for (const act of [CLAIM, RELEASE, TAKE_OVER, assignTo("bea")]) {
      expect(() => decided(one, act, order)).toThrow(
        expect.objectContaining({ code: "already_decided" }),
      );
    }
  });
});

describe("the roles", () => {
  it("that take a case over are lead and admin", () => {
    const may = OPERATOR_ROLES.filter((role) => {
      try {
        requireLead({ role });
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: "forbidden" });
        return false;
      }
    });
    expect(may).toEqual(["lead", "admin"]);
  });

  it("that a case is assigned to are those that decide, of operators who are active", () => {
    const notAssigned = expect.objectContaining({ code: "validation_failed" });
    for (const role of ["reviewer", "lead", "admin"] as const) {
      expect(() => requireAssignee({ name: "Bea", role, active: true })).not.toThrow();
      expect(() => requireAssignee({ name: "Bea", role, active: false })).toThrow(notAssigned);
    }
    expect(() => requireAssignee({ name: "Bea", role: "viewer", active: true })).toThrow(
      notAssigned,
    );
    expect(() => requireAssignee(null)).toThrow(notAssigned);
  });
});
