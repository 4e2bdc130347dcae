import { expect, it } from "@jest/globals";
import { claimOf } from "./update-claims.ts";

it("an id that was claimed before is repeated or redelivered with its content, and in conflict with any other", () => {
  expect(claimOf({ same: true, redelivered: false })).toBe("repeated");
  expect(claimOf({ same: true, redelivered: null })).toBe("repeated");
  expect(claimOf({ same: true, redelivered: true })).toBe("redelivered");
  const conflict = expect.objectContaining({ code: "update_conflict" });
  for (const redelivered of [false, true]) {
    expect(() => claimOf({ same: false, redelivered })).toThrow(conflict);
  }
  expect(() => claimOf(undefined)).toThrow(conflict);
});
