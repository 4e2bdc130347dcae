import { describe, expect, it } from "@jest/globals";
import { orderIn, buildRequirement, T0 } from "../../../test/support/orders/order-factory.ts";
import { endOfChecks, isBeingChecked } from "./own-order.ts";

const checking = buildRequirement({ slug: "invoice", check_state: "checking" });
const missing = buildRequirement({ has_value: false });
const draftOf = (...requirements: (typeof checking)[]) => orderIn("draft", { requirements });

describe("an order that is to be submitted", () => {
  it("is waited for while checks of documents alone are in the way", () => {
    expect(isBeingChecked(draftOf(checking), T0)).toBe(true);
    expect(isBeingChecked(draftOf(checking, missing), T0)).toBe(false);
    expect(isBeingChecked(draftOf(), T0)).toBe(false);
    expect(isBeingChecked(orderIn("submitted", { requirements: [checking] }), T0)).toBe(false);
  });

  it("is read until its checks have ended", async () => {
    const states = [draftOf(checking), draftOf(checking), draftOf()];
    let reads = 0;
    const read = () => {
      const state = states[reads];
      reads += 1;
      return Promise.resolve(state === undefined ? [] : [state]);
    };
    await endOfChecks(read, { now: () => T0 });
    expect(reads).toBe(3);
  });
});
