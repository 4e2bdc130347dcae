import { describe, expect, it } from "@jest/globals";
import { AccountUsage, type Addition } from "./account-usage.ts";

const QUOTAS = { drafts: 10, openNumbers: 100 };

const adds = (accountId: string, drafts: number, numbers = drafts): Addition => ({
  accountId,
  drafts,
  numbers,
});

const requestsOf = (usage: AccountUsage, ...additions: Addition[]): number[] =>
  usage.claim(additions).map(({ request }) => request);

function counted(accountId: string, drafts: number, numbers = drafts): AccountUsage {
  const usage = new AccountUsage(QUOTAS);
  usage.learn({ reason: "used", account_id: accountId, drafts, numbers });
  return usage;
}

describe("the usage of an account", () => {
  it("is counted at first, for each request with what the requests before it add", () => {
    const usage = new AccountUsage(QUOTAS);
    expect(usage.claim([adds("a", 1, 5), adds("b", 2, 2), adds("a", 1, 7)])).toEqual(
      [
        [0, "a", 1, 5],
        [1, "b", 2, 2],
        [2, "a", 2, 12],
      ].map(([request, account_id, drafts, numbers]) => ({
        request,
        account_id,
        drafts,
        numbers,
        max_drafts: 10,
        max_numbers: 100,
      })),
    );
  });

  it("is not counted again up to half of its quotas", () => {
    const usage = counted("a", 2);
    expect(requestsOf(usage, adds("a", 3))).toEqual([]);
    expect(requestsOf(usage, adds("a", 1))).toEqual([0]);
  });

  it.each([
    ["drafts", adds("a", 6, 6)],
    ["numbers", adds("a", 1, 51)],
  ])("is counted where %s exceed half of their quota", (_what, addition) => {
    expect(requestsOf(counted("a", 0), addition)).toEqual([0]);
  });

  it("is counted for all requests of the account, and only of it", () => {
    const usage = counted("a", 5);
    usage.learn({ reason: "used", account_id: "b", drafts: 0, numbers: 0 });
    expect(requestsOf(usage, adds("a", 1), adds("b", 1), adds("a", 1))).toEqual([0, 2]);
  });

  it("does not fall by a count that missed what was created meanwhile", () => {
    const usage = counted("a", 2);
    usage.claim([adds("a", 3)]);
    usage.learn({ reason: "used", account_id: "a", drafts: 2, numbers: 2 });
    expect(requestsOf(usage, adds("a", 1))).toEqual([0]);
  });

  it("is counted again once the count is ten seconds old", () => {
    let now = 1;
    const usage = new AccountUsage(QUOTAS, { now: () => now });
    usage.learn({ reason: "used", account_id: "a", drafts: 0, numbers: 0 });
    expect(requestsOf(usage, adds("a", 1))).toEqual([]);
    now += 10_001;
    expect(requestsOf(usage, adds("a", 1))).toEqual([0]);
  });

  it("is never counted without quotas", () => {
    const usage = new AccountUsage({ drafts: 0, openNumbers: 0 });
    expect(requestsOf(usage, adds("a", 1_000_000))).toEqual([]);
  });

  it("is held to the one quota that there is", () => {
    const usage = new AccountUsage({ drafts: 0, openNumbers: 100 });
    usage.learn({ reason: "used", account_id: "a", drafts: 0, numbers: 0 });
    expect(requestsOf(usage, adds("a", 1_000, 50))).toEqual([]);
    expect(requestsOf(usage, adds("a", 1, 1))).toEqual([0]);
  });
});
