import { describe, expect, it } from "@jest/globals";
import { AppError } from "../../../platform/errors.ts";
import {
  creationRefusal,
  quotaClaims,
  type Addition,
  type CreationFinding,
  type OrderQuotas,
} from "./create-orders.ts";

const adds = (accountId: string, drafts: number, numbers: number): Addition => ({
  accountId,
  drafts,
  numbers,
});

describe("the claims on an account's quotas", () => {
  it("have for each request what it adds with the account's requests before it", () => {
    const quotas = { drafts: 10, openNumbers: 100, discardedNumbers: 50 };
    const claims = quotaClaims(quotas, [
      adds("a", 1, 5),
      adds("b", 2, 2),
      adds("a", 1, 7),
      adds("a", 3, 1),
    ]);
    const rest = { max_drafts: 10, max_numbers: 100, max_discarded: 50 };
    expect(claims).toEqual([
      { request: 0, account_id: "a", drafts: 1, numbers: 5, ...rest },
      { request: 1, account_id: "b", drafts: 2, numbers: 2, ...rest },
      { request: 2, account_id: "a", drafts: 2, numbers: 12, ...rest },
      { request: 3, account_id: "a", drafts: 5, numbers: 13, ...rest },
    ]);
  });

  it("are none without quotas, and there with any", () => {
    const none = { drafts: 0, openNumbers: 0, discardedNumbers: 0 };
    const claims = (quotas: Partial<OrderQuotas>) =>
      quotaClaims({ ...none, ...quotas }, [adds("a", 1, 1)]);
    expect(claims({})).toEqual([]);
    for (const quota of [{ drafts: 1 }, { openNumbers: 1 }, { discardedNumbers: 1 }]) {
      expect(claims(quota)).toHaveLength(1);
    }
  });
});

const REQUESTED = ["+12125550100", "+12125550101"] as const;
const QUOTAS = { drafts: 1_000, openNumbers: 100_000, discardedNumbers: 10_000 };
const [FIRST, SECOND] = REQUESTED;

const active = { reason: "active", request: 0, phone_number: FIRST } as const;
const live = { reason: "live", request: 0, phone_number: SECOND } as const;
const elsewhere = {
  reason: "elsewhere",
  request: 0,
  phone_number: SECOND,
  account_id: "other",
} as const;
const quota = { reason: "drafts", request: 0 } as const;

const codeFor = (...found: CreationFinding[]): unknown => {
  const refusal = creationRefusal(REQUESTED, found, QUOTAS);
  return refusal instanceof AppError ? refusal.code : refusal;
};

describe("the refusal of a creation", () => {
  it("is none where nothing was found", () => expect(codeFor()).toBeNull());

  it("names first what the customer has to change", () => {
    expect(codeFor(elsewhere, quota, live, active)).toBe("validation_failed");
    expect(codeFor(elsewhere, quota, live)).toBe("number_in_active_order");
    expect(codeFor(elsewhere, quota)).toBe("quota_exceeded");
  });

  it("points to the number that is active or in another live order", () => {
    const pointers = [active, live].map((found) => {
      const refusal = creationRefusal(REQUESTED, [found], QUOTAS);
      return refusal instanceof AppError ? refusal.faults.map(({ pointer }) => pointer) : [];
    });
    expect(pointers).toEqual([["#/phone_numbers/0"], ["#/phone_numbers/1"]]);
  });

  it.each([
    ["drafts", "at most 1,000 drafts"],
    ["numbers", "at most 100,000 numbers in live orders"],
    ["discarded", "at most 10,000 numbers in orders that were created in the last 24 hours"],
  ] as const)("says the limit of %s", (reason, limit) => {
    const refusal = creationRefusal(REQUESTED, [{ reason, request: 0 }], QUOTAS);
    expect(refusal).toMatchObject({ message: expect.stringContaining(limit) });
  });

  it("is the holders to plan with where other accounts hold numbers", () => {
    expect(codeFor(elsewhere)).toEqual(new Map([[SECOND, "other"]]));
  });
});
