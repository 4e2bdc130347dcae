import { describe, expect, it } from "@jest/globals";
import { maskValues } from "./audit-entry.ts";

describe("maskValues", () => {
  it("hides keys and PINs, shortens account numbers and keeps the rest", () => {
    const values = {
      api_key: "nps_live_x",
      pin_passcode: "1234",
      account_number: "88771234",
      name: "A",
    };
    expect(maskValues(values)).toEqual({
      api_key: "****",
      pin_passcode: "****",
      account_number: "****1234",
      name: "A",
    });
  });

  it("masks within lists and objects", () => {
    const values = { list: [{ port_out_pin: "1" }, 2, null], inner: { account_number: "12" } };
    expect(maskValues(values)).toEqual({
      list: [{ port_out_pin: "****" }, 2, null],
      inner: { account_number: "****" },
    });
  });

  it("masks the value of a requirement by its slug", () => {
    const requirements = [
      { slug: "account_number", value: "88771234" },
      { slug: "pin_passcode", value: "4711" },
      { slug: "entity_name", value: "Acme" },
    ];
    expect(maskValues({ requirements })).toEqual({
      requirements: [
        { slug: "account_number", value: "****1234" },
        { slug: "pin_passcode", value: "****" },
        { slug: "entity_name", value: "Acme" },
      ],
    });
  });

  it("leaves times and absent values as they are", () => {
    const at = new Date(0);
    expect(maskValues({ at, pin: null })).toEqual({ at, pin: null });
  });
});
