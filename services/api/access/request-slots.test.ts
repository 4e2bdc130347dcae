import { describe, expect, it } from "@jest/globals";
import { toProblem } from "../../platform/http/problem.ts";
import type { AccountPrincipal } from "./principal.ts";
import { createRequestSlots } from "./request-slots.ts";

const principal = (accountId: string): AccountPrincipal => ({
  accountId,
  keyId: "key",
  suspended: false,
});
const [ours, others] = [principal("ours"), principal("others")];

describe("the slots of an account's requests", () => {
  it("are free up to the limit, without a wait, whatever another account does", () => {
    const slots = createRequestSlots(2);
    expect([slots?.enter(ours), slots?.enter(ours), slots?.enter(others)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("of an order's link are also the account's, so that many links have no more than one", async () => {
    const slots = createRequestSlots(1, 1);
    const link = (sessionId: string): AccountPrincipal => ({
      ...ours,
      portal: { sessionId, orderId: "order" },
    });
    await slots?.enter(link("first"));
    const second = slots?.enter(link("second"))?.catch((error: unknown) => toProblem(error, "id"));
    expect(await second).toMatchObject({ body: { code: "rate_limited" } });
    slots?.leave(link("first"));
    expect(slots?.enter(link("second"))).toBeUndefined();
  });

  it("make the next request wait until one is given back", async () => {
    const slots = createRequestSlots(1);
    await slots?.enter(ours);
    const waiting = slots?.enter(ours);
    slots?.leave(ours);
    await expect(waiting).resolves.toBeUndefined();
  });

  it("refuse a request that waited too long, and only that one", async () => {
    const slots = createRequestSlots(1, 1);
    await slots?.enter(ours);
    const refused = await slots?.enter(ours)?.catch((error: unknown) => toProblem(error, "id"));
    expect(refused).toMatchObject({
      headers: { "Retry-After": "1" },
      body: { code: "rate_limited" },
    });
    slots?.leave(ours);
    expect(slots?.enter(ours)).toBeUndefined();
  });

  it("are unlimited for 0", () => {
    expect(createRequestSlots(0)).toBeUndefined();
  });
});
