import { describe, expect, it } from "@jest/globals";
import { quotaClaims, type Addition, type OrderQuotas } from "./quota-claims.ts";

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
