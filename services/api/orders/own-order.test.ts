import { describe, expect, it } from "@jest/globals";
import { readCarriers } from "../../domain/carrier/read-carriers.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { ApiDeps } from "../api-deps.ts";
import { orderIn, buildRequirement, T0 } from "../../../test/support/orders/order-factory.ts";
import { dateFault, endOfChecks, isBeingChecked, ownDateFault } from "./own-order.ts";

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

describe("the date of an order", () => {
  const deps = {
    terms: readCarriers("data/carriers").terms,
    bus: { clock: { now: () => T0 } },
  } as unknown as ApiDeps;
  const contract = (shown_value: string) =>
    buildRequirement({ slug: "contract_status", shown_value });
  const german = (shown_value: string, foc_requested: string | null) =>
    orderIn("draft", {
      ...{ country_code: "DE", number_type: "local", foc_requested },
      requirements: [contract(shown_value)],
    });
  const NEAR = T0.toISOString();

  it("is judged by the order as the request leaves it", () => {
    const asked = { foc_requested: possibleTimes(german("ended", NEAR))[0] ?? "" };
    expect(dateFault(deps, german("ended", null), asked)).toBeNull();
    const given = (contract_status: string) => ({ ...asked, requirements: { contract_status } });
    expect(dateFault(deps, german("ended", null), given("running"))).not.toBeNull();
    expect(dateFault(deps, german("running", null), given("ended"))).toBeNull();
  });

  it("that came too near, or that a value made impossible, is refused, where there is one", () => {
    const [first = ""] = possibleTimes(german("ended", NEAR));
    expect(ownDateFault(deps, german("ended", first))).toBeNull();
    expect(ownDateFault(deps, german("running", first))?.code).toBe("foc_not_possible");
    expect(possibleTimes(german("ended", NEAR))).toHaveLength(3);
    expect(ownDateFault(deps, german("running", null))).toBeNull();
    expect(ownDateFault(deps, { ...german("running", first), status: "in_review" })).toBeNull();
  });

  function possibleTimes(order: Order): string[] {
    const { detail = "" } = ownDateFault(deps, order) ?? {};
    return detail.match(/\d{4}-[^,]+(?=, |\.$)/g) ?? [];
  }
});
