import { describe, expect, it } from "@jest/globals";
import { LEAVING, portOutIn } from "../../../../test/support/orders/port-out-factory.ts";
import type { RequestedNumberRow } from "../../number/store/leaving-numbers.ts";
import { divideRequest } from "./receive-port-out.ts";

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
