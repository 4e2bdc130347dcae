import { describe, expect, it } from "@jest/globals";
import { csrfTokenOf, isCsrfToken, isOwnOrigin, readCredential } from "./credentials.ts";

function read(...headers: [string, string][]): string | null {
  const first = new Map(headers.toReversed().map(([name, value]) => [name.toLowerCase(), value]));
  return readCredential({ headers: Object.fromEntries(first), rawHeaders: headers.flat() });
}

describe("readCredential", () => {
  it.each([
    [[["Authorization", "Bearer k1"]], "k1"],
    [[["AUTHORIZATION", "bEARER   k1"]], "k1"],
    [[["X-Api-Key", "k1"]], "k1"],
    [[["Authorization", "Bearer k1"], ["x-api-key", "k1"]], "k1"], // oxfmt-ignore
  ] as [[string, string][], string][])("%j → %s", (headers, key) => {
    expect(read(...headers)).toBe(key);
  });

  it.each([
    [[]],
    [[["Authorization", "k1"]]],
    [[["Authorization", "Bearer "]]],
    [[["Authorization", "Bearer k1,k2"]]],
    [[["Authorization", "Basic k1"], ["X-API-Key", "k1"]]], // oxfmt-ignore
    [[["Authorization", "Bearer k1"], ["X-API-Key", "k2"]]], // oxfmt-ignore
    [[["Authorization", "Bearer k1"], ["X-API-Key", ""]]], // oxfmt-ignore
    [[["Authorization", "Bearer k1"], ["authorization", "Bearer k1"]]], // oxfmt-ignore
    [[["X-API-Key", "k1"], ["X-API-KEY", "k1"]]], // oxfmt-ignore
    [[["X-API-Key", "k".repeat(257)]]],
    [[["X-API-Key", "k\u0000"]]],
  ] as [[string, string][]][])("%j has no valid key", (headers) => {
    expect(read(...headers)).toBeNull();
  });
});

const at = (publicUrl: string, host: string | undefined) => ({ publicUrl, host });
const UNSET = "";

describe("a service's own origin", () => {
  it.each([
    ["http://127.0.0.1:3001", at(UNSET, "127.0.0.1:3001")],
    ["http://localhost:3001", at(UNSET, "localhost:3001")],
    ["http://[::1]:3001", at(UNSET, "[::1]:3001")],
    ["https://desk.example.com", at(UNSET, "desk.example.com")],
    ["https://desk.example.com", at(UNSET, "DESK.example.com:443")],
    ["https://desk.example.com", at("https://desk.example.com", "10.0.0.7:3001")],
    ["https://desk.example.com", at("https://desk.example.com/", undefined)],
    ["http://127.0.0.1:3001", at("http://localhost:3001", "127.0.0.1:3001")],
    ["http://10.0.0.7:3001", at("http://localhost:3001", "10.0.0.7:3001")],
  ])("is %s", (origin, place) => {
    expect(isOwnOrigin(origin, place)).toBe(true);
  });

  it.each([
    [
      "another port of the host, which gets its cookies",
      "http://127.0.0.1:8080",
      at(UNSET, "127.0.0.1:3001"),
    ],
    ["another name of the machine", "http://localhost:3001", at(UNSET, "127.0.0.1:3001")],
    ["a foreign host", "https://evil.example", at(UNSET, "desk.example.com")],
    [
      "a host that begins alike",
      "https://desk.example.com.evil.example",
      at(UNSET, "desk.example.com"),
    ],
    ["a subdomain", "https://a.desk.example.com", at(UNSET, "desk.example.com")],
    ["the opaque origin of a sandboxed frame or a file", "null", at(UNSET, "desk.example.com")],
    ["nothing", "", at(UNSET, "desk.example.com")],
    ["a URL with a path", "https://desk.example.com/", at(UNSET, "desk.example.com")],
    ["a request without a host", "https://desk.example.com", at(UNSET, undefined)],
    [
      "the host, where the public URL is another",
      "http://10.0.0.7:3001",
      at("https://desk.example.com", "10.0.0.7:3001"),
    ],
    [
      "the public host without TLS",
      "http://desk.example.com",
      at("https://desk.example.com", "desk.example.com"),
    ],
    [
      "the public host at another port",
      "https://desk.example.com:8443",
      at("https://desk.example.com", "desk.example.com:8443"),
    ],
  ])("is not that of %s", (_, origin, place) => {
    expect(isOwnOrigin(origin, place)).toBe(false);
  });
});

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
