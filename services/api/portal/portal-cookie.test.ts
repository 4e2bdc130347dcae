import { describe, expect, it } from "@jest/globals";
import { API_KEY, issueKey, PORTAL_COOKIE } from "../../domain/account/rules/api-key.ts";
import { portalCookie, readApiCredential } from "./portal-cookie.ts";

const { key: cookie } = issueKey(PORTAL_COOKIE);
const { key } = issueKey(API_KEY);

function credentialOf(headers: Readonly<Record<string, string>>): string | null {
  const req = { headers, rawHeaders: Object.entries(headers).flat() };
  return readApiCredential({ req } as Parameters<typeof readApiCredential>[0]);
}

describe("the credential of a request to the API", () => {
  it("is the portal's cookie where there is no key", () => {
    expect(credentialOf({ cookie: `a=b; __Host-portal=${cookie}; c=d` })).toBe(cookie);
  });

  it("is the key where both are there, even a bad one", () => {
    const both = { cookie: `__Host-portal=${cookie}` };
    expect(credentialOf({ ...both, authorization: `Bearer ${key}` })).toBe(key);
    expect(credentialOf({ ...both, "x-api-key": "" })).toBeNull();
  });

  it.each([
    ["a cookie sent as a key", { authorization: `Bearer ${cookie}` }],
    ["a cookie twice", { cookie: `__Host-portal=${cookie}; __Host-portal=${cookie}` }],
    ["a cookie without its checksum", { cookie: `__Host-portal=${cookie.slice(0, -1)}` }],
    ["a key sent as a cookie", { cookie: `__Host-portal=${key}` }],
    ["a cookie of another name", { cookie: `portal=${cookie}` }],
    ["nothing", {}],
  ])("is never %s", (_, headers) => {
    expect(credentialOf(headers)).toBeNull();
  });
});

describe("the portal's cookie", () => {
  it("is for our own pages over TLS alone, and out of reach of scripts", () => {
    expect(portalCookie(cookie, 60)).toBe(
      `__Host-portal=${cookie}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=60`,
    );
  });
});
