import { describe, expect, it } from "@jest/globals";
import { buildRequirement } from "../../../../test/support/orders/order-factory.ts";
import { areMet, readinessOf } from "./readiness.ts";
import type { OrderRequirement } from "./requirement.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");

function blocking(fields: Partial<OrderRequirement>, attempt = 0): string[] {
  const order = { requirements: [buildRequirement(fields)], review_attempt: attempt };
  const { ready, blocking: found } = readinessOf(order, NOW);
  expect(ready).toBe(found.length === 0);
  return found.map(({ code }) => code);
}

describe("readiness", () => {
  it("is given when every mandatory requirement has a valid value", () => {
    expect(blocking({})).toEqual([]);
  });

  it.each<[string, Partial<OrderRequirement>]>([
    ["missing", { has_value: false }],
    ["exception", { status: "requirement-info-exception", exception_reason: "wrong" }],
    ["checking", { check_state: "checking" }],
    ["check_failed", { check_state: "failed" }],
    ["document_too_old", { max_age_days: 30, document_date: new Date("2026-10-21T00:00:00Z") }],
  ])("is blocked by %s", (code, fields) => {
    expect(blocking(fields)).toEqual([code]);
  });

  it("does not require an optional value, but a given one must be valid", () => {
    expect(blocking({ mandatory: false, has_value: false })).toEqual([]);
    expect(blocking({ mandatory: false, check_state: "failed" })).toEqual(["check_failed"]);
  });

  it("accepts a document of exactly the maximum age", () => {
    expect(blocking({ max_age_days: 30, document_date: new Date("2026-10-22T12:00:00Z") })).toEqual(
      [],
    );
  });
});

describe("readiness after the first submission", () => {
  const document_date = new Date("2026-10-21T00:00:00Z");
  const old = { max_age_days: 30, document_date };

  it.each(["approved", "requirement-info-under-review", "requirement-info-pending"] as const)(
    "does not count the age of a document that is %s",
    (status) => {
      expect(blocking({ ...old, status }, 1)).toEqual([]);
    },
  );

  it("is blocked by everything else as before", () => {
    expect(blocking({ ...old, check_state: "failed" }, 1)).toEqual(["check_failed"]);
    const status = "requirement-info-exception";
    expect(blocking({ ...old, status, exception_reason: "Old." }, 1)).toEqual(["exception"]);
  });
});

describe("a port date that is not possible any more", () => {
  it("keeps an order from being ready", () => {
    const order = { requirements: [buildRequirement()], review_attempt: 0 };
    const detail = "No numbers are moved then.";
    expect(readinessOf(order, NOW, { detail })).toEqual({
      ready: false,
      blocking: [{ slug: "foc_requested", code: "foc_not_possible", detail }],
    });
  });
});

describe("requirements_status", () => {
  it("is false while something mandatory is missing, unchecked or in exception", () => {
    expect(areMet([buildRequirement()])).toBe(true);
    expect(areMet([buildRequirement({ has_value: false })])).toBe(false);
    for (const check_state of ["checking", "failed"] as const) {
      expect(areMet([buildRequirement({ check_state })])).toBe(false);
    }
    expect(areMet([buildRequirement({ check_state: "passed" })])).toBe(true);
    const rejected = { status: "requirement-info-exception", mandatory: false } as const;
    expect(areMet([buildRequirement(rejected)])).toBe(false);
  });
});
