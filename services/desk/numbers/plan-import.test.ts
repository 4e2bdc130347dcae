import { describe, expect, it } from "@jest/globals";
import { planImport, settleImport, type GivenNumber } from "./plan-import.ts";

const NOW = new Date("2026-11-27T12:00:00Z");
const CONTEXT = { rangeOf: () => null, hosts: ["manual", "sandbox"], now: NOW };
const [A, B, C] = ["+12125550143", "+12125550144", "+442079460001"];

const given = (phone_number: string, fields: Partial<GivenNumber> = {}): GivenNumber => ({
  phone_number,
  provider: "sandbox",
  ...fields,
});

describe("numbers that are to be imported", () => {
  it("have the country and type of their plan, and are live since now unless it is said", () => {
    const since = new Date("2020-01-01T00:00:00Z");
    const { numbers, errors } = planImport(
      [given(A, { number_type: "mobile" }), given(C, { activated_at: since })],
      CONTEXT,
    );
    expect(errors).toEqual([]);
    expect(numbers).toEqual([
      { ...given(A), country_code: "US", number_type: "mobile", activated_at: NOW },
      { ...given(C), country_code: "GB", number_type: "local", activated_at: since },
    ]);
  });

  it("are left out one by one, each with what is wrong and where", () => {
    const numbers = [
      given("+1212"),
      given("+390612345678"),
      given(C, { number_type: "mobile" }),
      given(A, { provider: "platform" }),
      given(B, { activated_at: new Date(NOW.getTime() + 1) }),
      given(B),
      given(B),
    ];
    const plan = planImport(numbers, CONTEXT);
    expect(plan.numbers.map((one) => one.phone_number)).toEqual([B]);
    expect(plan.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["#/numbers/0/phone_number", "invalid_number"],
      ["#/numbers/1/phone_number", "country_not_supported"],
      ["#/numbers/2/number_type", "number_type_mismatch"],
      ["#/numbers/3/provider", "unknown_provider"],
      ["#/numbers/4/activated_at", "invalid_value"],
      ["#/numbers/6/phone_number", "duplicate_number"],
    ]);
  });

  it("stay as they are where the account has them, and are refused where somebody else does", () => {
    const numbers = [A, B, C, "+12125550145", "+12125550146"].map((one) => given(one));
    const fact = { account_id: null, provider: null, in_live_order: false };
    const known = [
      { ...fact, phone_number: A, account_id: "own", provider: "sandbox" },
      { ...fact, phone_number: B, account_id: "own", provider: "manual" },
      { ...fact, phone_number: C, account_id: "other", provider: "sandbox" },
      { ...fact, phone_number: "+12125550145", in_live_order: true },
      { ...fact, phone_number: "+12125550146" },
    ];
    const plan = planImport(numbers, CONTEXT);
    const settled = settleImport(plan, { given: numbers, accountId: "own", known });
    expect(settled.added.map((one) => one.phone_number)).toEqual(["+12125550146"]);
    expect(settled.accepted).toBe(2);
    expect(settled.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["#/numbers/1/phone_number", "already_active"],
      ["#/numbers/2/phone_number", "already_active"],
      ["#/numbers/3/phone_number", "number_in_active_order"],
    ]);
  });
});
