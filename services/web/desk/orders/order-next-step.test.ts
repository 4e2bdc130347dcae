import { describe, expect, it } from "@jest/globals";
import { NEXT_ACTIONS } from "../../../domain/order/rules/status-facts.ts";
import { nextStepOf, type Stepping } from "./next-step.ts";

function order(next: Partial<Stepping["next_action"]>, status: Stepping["status"]): Stepping {
  const none = { actor: "none", action: "none", due_at: null } as const;
  return { status, attention: null, next_action: { ...none, ...next } };
}

describe("who must do what by when", () => {
  it("names the side, what it does, and what the time means", () => {
    const due_at = "2026-03-02T14:00:00.000Z";
    const review = { actor: "desk", action: "wait_for_review", due_at } as const;
    expect(nextStepOf(order(review, "in_review"))).toStrictEqual({
      who: "The desk",
      what: "reviews the submission",
      by: "due",
    });
    const fix = { actor: "customer", action: "fix_requirement", due_at } as const;
    expect(nextStepOf(order(fix, "rejection")).by).toBe("or the order closes");
  });

  it("says what the carrier has to answer", () => {
    const waits = { actor: "carrier", action: "wait_for_carrier" } as const;
    expect(nextStepOf(order(waits, "submitted")).what).toBe("acknowledges the request");
    expect(nextStepOf(order(waits, "in_process")).what).toBe("names the port date");
    expect(nextStepOf(order(waits, "cancel_pending")).what).toContain("cancellation");
  });

  it("has words for every action, and no time where nothing happens by itself", () => {
    for (const action of NEXT_ACTIONS) {
      const step = nextStepOf(order({ actor: "desk", action }, "submitted"));
      expect(step.what).not.toBe("");
      expect(step.by).toBeNull();
    }
  });
});
