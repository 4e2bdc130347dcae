import { describe, expect, it } from "@jest/globals";
import { API_KEY, DESK_TOKEN, hashKey, isWellFormed, issueKey } from "./api-key.ts";

const KNOWN = "nps_live_00000000000000000000000000000000";

/** A random source that repeats these bytes. */
function repeating(...bytes: number[]) {
  return (size: number) =>
    Uint8Array.from({ length: size }, (_, i) => bytes[i % bytes.length] ?? 0);
}

describe("issueKey", () => {
  it.each([API_KEY, DESK_TOKEN] as const)("makes a well-formed and unique %s key", (kind) => {
    const keys = Array.from({ length: 200 }, () => issueKey(kind));
    for (const { key, prefix, hash } of keys) {
      expect(key).toMatch(new RegExp(`^${kind}[0-9A-Za-z]{38}$`));
      expect(isWellFormed(kind, key)).toBe(true);
      expect(prefix).toBe(key.slice(0, 14));
      expect(hash).toEqual(hashKey(key));
    }
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
  });

  it("ends in the CRC-32 of the text before it, in base 62", () => {
    // CRC-32 0x3a5dc06e, computed by another implementation, in six digits.
    expect(issueKey(API_KEY, repeating(0)).key).toBe(`${KNOWN}14GiXW`);
  });

  it("skips bytes that would favour some characters", () => {
    const { key } = issueKey(API_KEY, repeating(255, 248, 61, 247));
    expect(key.slice(9, 41)).toBe("z".repeat(32));
  });

  it("uses the whole alphabet evenly", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i += 1) {
      for (const character of issueKey(API_KEY).key.slice(9, 41)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (2_000 * 32) / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, n) => sum + (n - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(62);
    // 61 degrees of freedom: a fair source exceeds this once in a billion runs, a plain modulo of 256 always does.
    expect(chiSquare).toBeLessThan(145);
  });
});

describe("isWellFormed", () => {
  const { key } = issueKey(API_KEY);

  it("refuses a key with any one character changed", () => {
    for (let i = 9; i < key.length; i += 1) {
      const other = key.charAt(i) === "a" ? "b" : "a";
      expect(isWellFormed(API_KEY, key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it.each(["", "nps_live_", key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()])(
    "refuses %j",
    (text) => {
      expect(isWellFormed(API_KEY, text)).toBe(false);
    },
  );

  it("distinguishes a customer's key from an operator's token", () => {
    expect(isWellFormed(DESK_TOKEN, key)).toBe(false);
    expect(isWellFormed(API_KEY, issueKey(DESK_TOKEN).key)).toBe(false);
  });
});

describe("hashKey", () => {
  it("is SHA-256 of the whole text", () => {
    expect(hashKey("abc").toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
