import { describe, expect, it } from "@jest/globals";
import { KEY_GROUPS, KEY_TABLE } from "./keys.ts";

describe("the table of keys", () => {
  it("gives each key one meaning", () => {
    const keys = Object.values(KEY_TABLE).flatMap((row): readonly string[] => row.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("shows every key in the help", () => {
    const groups = new Set<string>(KEY_GROUPS);
    for (const { group, does } of Object.values(KEY_TABLE)) {
      expect(groups.has(group)).toBe(true);
      expect(does).toMatch(/^[A-Z]/);
    }
  });
});
