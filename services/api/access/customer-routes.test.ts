import { expect, it } from "@jest/globals";
import { keysOwnedBy, limitedAs, turnsOf, type AccountPrincipal } from "./customer-routes.ts";

const byKey: AccountPrincipal = { accountId: "a", keyId: "k", suspended: false };
const byAccountLink = { ...byKey, portal: { sessionId: "s", orderId: null } };
const byOrderLink = { ...byKey, portal: { sessionId: "s", orderId: "o" } };

it("an order's link, which is in other hands than the account, uses keys of its own, limits of its own beside the account's, and the account's turns", () => {
  const callers = [byKey, byAccountLink, byOrderLink];
  expect(callers.map(keysOwnedBy)).toEqual(["account:a", "account:a", "portal:s"]);
  expect(callers.map(limitedAs)).toEqual([["a"], ["a"], ["s", "a"]]);
  expect(callers.map(turnsOf)).toEqual(["account:a", "account:a", "account:a"]);
});
