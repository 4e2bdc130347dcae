import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSecretBox } from "../../../platform/secret-box.ts";
import { NOTHING_STATED, openRequester, requesterOf, sealRequester } from "./requester.ts";

const box = createSecretBox([randomBytes(32)]);
const REF = { provider: "manual", port_out_ref: "PO-1" };

describe("what a gaining carrier states of its customer", () => {
  it("is nothing where no field has a value", () => {
    expect(requesterOf(NOTHING_STATED)).toBeNull();
    expect(requesterOf({ pon: "PON-1" })).toEqual({ ...NOTHING_STATED, pon: "PON-1" });
  });

  it.each([
    ["8150210", "****0210"],
    ["0210", "****"],
  ])(
    "is stored encrypted for its reference, and shows of account number %s the end",
    (given, shown) => {
      const stated = { ...NOTHING_STATED, pon: "PON-1", account_number: given };
      const sealed = sealRequester(box, REF, stated);
      expect(sealed.bytes.includes(given)).toBe(false);
      expect(openRequester(box, REF, sealed)).toEqual({ ...stated, account_number: shown });
      expect(() => openRequester(box, { ...REF, port_out_ref: "PO-2" }, sealed)).toThrow();
    },
  );
});
