import { describe, expect, it } from "@jest/globals";
import { LEAVING, portOutIn } from "../../../../test/support/orders/port-out-factory.ts";
import type { RequestedNumberRow } from "../../number/store/leaving-numbers.ts";
import { PORT_OUT_REJECT_CODES } from "../rules/port-out.ts";
import { divideRequest, findRequestFault, type RequestedNumber } from "./receive-port-out.ts";

const [FIRST = "", SECOND = ""] = LEAVING;
const [THIRD, NOBODYS] = ["+12125550103", "+12125550104"];
const known = portOutIn("decision_required", { account_id: "a" });

const owned = (account_id: string, phone_number: string): RequestedNumberRow => ({
  ...{ account_id, phone_number, port_out_lock: false, port_out_pin_set: false },
  ...{ pin_locked_until: null, in_other_port_out: false, porting_order_id: null },
});
const [ofA1, ofA2, ofB] = [owned("a", FIRST), owned("a", SECOND), owned("b", THIRD)];

describe("a request for numbers", () => {
  it("opens a port-out for each account that owns some of them; those of no account are unknown", () => {
    expect(divideRequest([FIRST, THIRD, SECOND, NOBODYS], [], [ofA1, ofB, ofA2])).toEqual({
      again: [],
      opened: [[ofA1, ofA2], [ofB]],
      unknown: [NOBODYS],
    });
  });

  it("that comes again asks again, and opens no second port-out of an account", () => {
    expect(divideRequest([FIRST, THIRD], [known], [ofA1, ofB])).toEqual({
      again: [known],
      opened: [[ofB]],
      unknown: [],
    });
  });

  it("does not ask a port-out that has none of them", () => {
    expect(divideRequest([THIRD], [known], [ofB]).again).toEqual([]);
  });

  it("knows the numbers that have left by it since", () => {
    const left = portOutIn("ported_out", { account_id: "a" });
    expect(divideRequest(LEAVING, [left], [])).toEqual({ again: [left], opened: [], unknown: [] });
  });
});

const FREE: RequestedNumber = {
  port_out_lock: false,
  pin_locked_until: null,
  port_out_pin_set: false,
  in_other_port_out: false,
};
const NOW = new Date("2026-11-02T09:00:00.000Z");
const LATER = new Date(NOW.getTime() + 1);
const LOCKED = { ...FREE, port_out_lock: true };
const PIN_SET = { ...FREE, port_out_pin_set: true };
const PIN_LOCKED = { ...PIN_SET, pin_locked_until: LATER };
const BUSY = { ...FREE, in_other_port_out: true };

describe("the codes of a rejection (docs/contract/customer-api.md, Numbers and port-outs)", () => {
  it("are those that a gaining carrier knows", () => {
    expect(PORT_OUT_REJECT_CODES).toEqual([
      "account_number_invalid",
      "pin_missing",
      "pin_invalid",
      "postal_code_invalid",
      "subscriber_mismatch",
      "number_not_on_account",
      "number_not_active",
      "invalid_request",
      "port_locked",
    ]);
  });
});

describe("a request for numbers", () => {
  it.each([
    ["no check fails", { numbers: [FREE], pinMatches: null }, null],
    ["a PIN was given but none is set", { numbers: [FREE], pinMatches: false }, null],
    [
      "a PIN is set and none was given",
      { numbers: [FREE, PIN_SET], pinMatches: null },
      "pin_missing",
    ],
    ["the PIN is wrong", { numbers: [PIN_SET], pinMatches: false }, "pin_invalid"],
    ["the PIN is right", { numbers: [PIN_SET, FREE], pinMatches: true }, null],
    ["one of the numbers is locked", { numbers: [FREE, LOCKED], pinMatches: true }, "port_locked"],
    ["wrong PINs lock a number", { numbers: [PIN_LOCKED], pinMatches: true }, "port_locked"],
    [
      "wrong PINs locked a number until now",
      { numbers: [{ ...PIN_LOCKED, pin_locked_until: NOW }], pinMatches: true },
      null,
    ],
    [
      "another port-out has a number",
      { numbers: [FREE, BUSY], pinMatches: null },
      "invalid_request",
    ],
    [
      "both the lock and the PIN fail",
      { numbers: [PIN_SET, LOCKED], pinMatches: false },
      "port_locked",
    ],
    [
      "both the PIN and another port-out fail",
      { numbers: [BUSY, PIN_SET], pinMatches: null },
      "pin_missing",
    ],
  ] as const)("when %s", (_what, { numbers, pinMatches }, fault) => {
    expect(findRequestFault(numbers, pinMatches, NOW)).toBe(fault);
  });
});
