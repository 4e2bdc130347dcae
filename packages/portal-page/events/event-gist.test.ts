import { describe, expect, it } from "@jest/globals";
import { gistOf } from "./events.ts";

describe("what a list says of an event", () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      "an order's change of status",
      {
        porting_order: { phone_numbers: ["+12125550123", "+12125550124", "+12125550125"] },
        new_status: "in_review",
      },
      "+12125550123 and 2 more, in review",
    ],
    ["a number", { phone_number: "+12125550123" }, "+12125550123"],
    ["a port-out", { port_out: { phone_numbers: ["+12125550123"] } }, "+12125550123"],
    ["a comment", { comment: { body: "Hello" } }, ""],
  ])("of %s", (_what, payload, gist) => {
    expect(gistOf({ payload })).toBe(gist);
  });
});
