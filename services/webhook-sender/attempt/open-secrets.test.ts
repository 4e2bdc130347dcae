import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSecretBox, type Sealed } from "../../platform/secret-box.ts";
import { createSecretOpener } from "./open-secrets.ts";

function openerOf() {
  const box = createSecretBox([randomBytes(32)]);
  let opened = 0;
  const open = createSecretOpener({
    open: (sealed: Sealed, owner: string) => {
      opened += 1;
      return box.open(sealed, owner);
    },
  });
  return { box, open, count: () => opened };
}

describe("the secret opener", () => {
  it("opens a secret once while it is unchanged", () => {
    const { box, open, count } = openerOf();
    const sealed = box.seal("whsec_a", "endpoint");
    expect([open(sealed, "endpoint"), open({ ...sealed }, "endpoint")]).toEqual([
      "whsec_a",
      "whsec_a",
    ]);
    expect(count()).toBe(1);
  });

  it("opens a rotated secret again", () => {
    const { box, open } = openerOf();
    open(box.seal("whsec_a", "endpoint"), "endpoint");
    expect(open(box.seal("whsec_b", "endpoint"), "endpoint")).toBe("whsec_b");
  });

  it("refuses a cached secret to an owner that it was not sealed for", () => {
    const { box, open } = openerOf();
    const sealed = box.seal("whsec_a", "endpoint");
    open(sealed, "endpoint");
    expect(() => open(sealed, "another")).toThrow("does not belong to its row");
  });
});
