import { describe, expect, it } from "@jest/globals";
import { buildCarrierRequest } from "../../test/support/carriers/carrier-request-factory.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import { readCarriers } from "../domain/carrier/read-carriers.ts";
import { FirstAsked } from "./listen-to-topics.ts";
import { scriptFor } from "./script.ts";

const STEP = { stepMs: 1_000, termsOf: readCarriers("data/carriers").terms };
const AT = Date.parse("2026-11-20T15:00:00Z");
const LATER = AT + 48 * 60 * 60_000;

function request(request_id: string): CarrierRequest {
  return buildCarrierRequest({ request_id, phone_numbers: ["+12125559906"] });
}

describe("a request that is sent again", () => {
  it("gets the same updates, whatever date the order has by then", () => {
    const asked = new FirstAsked();
    const answer = (sent: CarrierRequest, timestamp: number) => {
      const { request: first, requestedAt } = asked.firstOf(sent, timestamp);
      return scriptFor(first, { ...STEP, requestedAt });
    };
    const first = answer(request("one"), AT);
    const again = { ...request("one"), foc_actual: "2026-12-08T10:00:00-05:00" };
    expect(answer(again, LATER)).toEqual(first);
    expect(answer({ ...again, request_id: "other" }, LATER)).not.toEqual(first);
  });

  it("is forgotten after many others", () => {
    const asked = new FirstAsked(2);
    for (const id of ["one", "two", "three"]) asked.firstOf(request(id), AT);
    const at = (id: string): number => asked.firstOf(request(id), LATER).requestedAt;
    expect([at("three"), at("two"), at("one")]).toEqual([AT, AT, LATER]);
  });
});
