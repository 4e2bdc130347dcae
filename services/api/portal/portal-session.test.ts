import { describe, expect, it } from "@jest/globals";
import { cookieExpiry, refusalOf, type PresentedLink } from "./portal-session.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-01T13:00:00.000Z");
const link: PresentedLink = {
  id: "0195c000-0000-7000-8000-000000000001",
  account_id: "0195c000-0000-7000-8000-000000000002",
  api_key_id: "0195c000-0000-7000-8000-000000000003",
  account_name: "Example Telecom",
  order_id: null,
  created_at: now,
  expires_at: later,
  opened_at: null,
  ended_at: null,
  is_suspended: false,
  is_key_revoked: false,
};

describe("a portal link", () => {
  it("to the account opens once", () => {
    expect(refusalOf(link, now)).toBeNull();
    expect(refusalOf({ ...link, opened_at: now }, now)).toBe("used");
  });

  it("to an order opens again and again", () => {
    expect(refusalOf({ ...link, order_id: link.id, opened_at: now }, now)).toBeNull();
  });

  it.each([
    ["its time is up", { expires_at: now }, "expired"],
    ["it was ended", { ended_at: now }, "ended"],
    ["the key that made it is revoked", { is_key_revoked: true }, "ended"],
    [
      "the account is suspended, which ended it",
      { is_suspended: true, ended_at: now },
      "suspended",
    ],
  ] as const)("opens nothing when %s", (_, change, refusal) => {
    for (const order_id of [null, link.id]) {
      expect(refusalOf({ ...link, ...change, order_id }, now)).toBe(refusal);
    }
  });
});

describe("the portal's cookie", () => {
  it("lasts 12 hours", () => {
    const expires_at = new Date("2026-03-31T12:00:00.000Z");
    expect(cookieExpiry({ ...link, expires_at }, now)).toEqual(
      new Date("2026-03-02T00:00:00.000Z"),
    );
  });

  it("never lasts longer than its session", () => {
    expect(cookieExpiry(link, now)).toEqual(later);
  });
});
