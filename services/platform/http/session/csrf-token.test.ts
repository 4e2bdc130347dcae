import { describe, expect, it } from "@jest/globals";
import { csrfTokenOf, isCsrfToken } from "./csrf-token.ts";

const right = csrfTokenOf("nps_sess_one");

describe("the CSRF token of a session", () => {
  it("is the same for the session, another for another, and does not hold the session", () => {
    expect(csrfTokenOf("nps_sess_one")).toBe(right);
    expect(csrfTokenOf("nps_sess_two")).not.toBe(right);
    expect(right).toMatch(/^[\w-]{43}$/);
    expect(right).not.toContain("one");
  });

  it("is accepted whole alone", () => {
    expect(isCsrfToken(right, right)).toBe(true);
    const others = [
      undefined,
      "",
      [right],
      `${right} `,
      right.slice(1),
      right.toUpperCase(),
      "ü".repeat(43),
    ];
    for (const sent of others) expect(isCsrfToken(sent, right)).toBe(false);
  });
});
