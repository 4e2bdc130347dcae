import { describe, expect, it } from "@jest/globals";

import { readCredential } from "./read-credential.ts";

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
