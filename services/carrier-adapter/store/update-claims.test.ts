import { createHash } from "node:crypto";
import { expect, it } from "@jest/globals";
import { claimOf, hashContent } from "./update-claims.ts";

it("an id that was claimed before is repeated or redelivered with its content, and in conflict with any other", () => {
  expect(claimOf({ same: true, redelivered: false })).toBe("repeated");
  expect(claimOf({ same: true, redelivered: null })).toBe("repeated");
  expect(claimOf({ same: true, redelivered: true })).toBe("redelivered");
  const conflict = expect.objectContaining({ code: "update_conflict" });
  for (const redelivered of [false, null]) {
    expect(() => claimOf({ same: false, redelivered })).toThrow(conflict);
  }
  expect(() => claimOf(undefined)).toThrow(conflict);
});

// The release that added a nullable field read other content in the same bytes, and refused what it had applied.
it("the message that was claimed is redelivered whatever this version reads in it", () => {
  expect(claimOf({ same: false, redelivered: true })).toBe("redelivered");
});

it("a nullable field that a schema gets does not change the hash of what came before", () => {
  const content = { update_id: "u", rejection: { raw_code: "R1", raw_text: null }, numbers: ["n"] };
  const later = { ...content, rejection: { ...content.rejection, more: null }, added: null };
  const [{ bytes, withNulls }, after] = [hashContent(content), hashContent(later)];
  expect(after.bytes).toEqual(bytes);
  expect(hashContent({ ...later, added: "" }).bytes).not.toEqual(bytes);
  expect(withNulls).toEqual(createHash("sha256").update(JSON.stringify(content)).digest());
});
