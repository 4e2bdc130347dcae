import { describe, expect, it } from "@jest/globals";
import { T0 as NOW } from "../../../../test/support/orders/order-factory.ts";
import { rejectionCodesOf, rejectionFault, type NumberProtection } from "./rejection-codes.ts";

const OPEN: NumberProtection = {
  port_out_lock: false,
  pin_locked_until: null,
  port_out_pin_set: false,
};
const LATER = new Date(NOW.getTime() + 1);

describe("the codes for rejecting a port-out", () => {
  const notAllowed = (...numbers: readonly NumberProtection[]): string[] =>
    rejectionCodesOf(numbers, NOW).flatMap(({ code, allowed }) => (allowed ? [] : [code]));
  const untrue = ["number_not_on_account", "number_not_active"];

  it("leave out locks and PINs that there are not, and that the numbers are not the account's", () => {
    expect(notAllowed(OPEN)).toEqual(["pin_missing", "pin_invalid", ...untrue, "port_locked"]);
    expect(notAllowed(OPEN, { ...OPEN, port_out_lock: true })).toEqual([
      "pin_missing",
      "pin_invalid",
      ...untrue,
    ]);
    expect(notAllowed({ ...OPEN, port_out_pin_set: true })).toEqual([...untrue, "port_locked"]);
  });

  it("have the lock that wrong PINs have set, as long as it holds", () => {
    expect(notAllowed({ ...OPEN, pin_locked_until: LATER })).not.toContain("port_locked");
    expect(notAllowed({ ...OPEN, pin_locked_until: NOW })).toContain("port_locked");
  });

  it("refuse a rejection with another, and name those that there are", () => {
    const codes = rejectionCodesOf([OPEN], NOW);
    expect(rejectionFault(codes, "subscriber_mismatch")).toBeNull();
    expect(rejectionFault(codes, "port_locked")).toMatchObject({
      pointer: "#/code",
      code: "code_not_eligible",
      detail: expect.stringContaining("subscriber_mismatch"),
    });
  });
});
