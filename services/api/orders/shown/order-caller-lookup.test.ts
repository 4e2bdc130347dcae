import { describe, expect, it } from "@jest/globals";
import { GET, PATCH, type CustomerRoute } from "../../access/customer-routes.ts";
import { noContent } from "../../../platform/http/routing/reply.ts";
import { createRouteTable } from "../../../platform/http/routing/route-table.ts";
import { orderShownBy } from "./order-caller-lookup.ts";

const ID = "0195d5e4-7b1c-7abc-8def-0123456789ab";
const ORDER = "/v2/porting_orders/:id";

const facts = { answers: { 204: null }, handle: noContent };
const routes: CustomerRoute[] = [
  GET(ORDER, "Read", facts),
  GET(`${ORDER}/readiness`, "Read what blocks", facts),
  GET(`${ORDER}/timeline`, "List", facts),
  PATCH(ORDER, "Change", facts),
  GET("/v2/port_outs/:id", "Read", facts),
];

function shownBy(method: string, path: string): string | null {
  const match = createRouteTable(routes)(method, path);
  return orderShownBy(match.kind === "route" ? match : null);
}

describe("the order that a request shows", () => {
  it("is the one in the path of an order and of its readiness, in lower case", () => {
    expect(shownBy("GET", `/v2/porting_orders/${ID}`)).toBe(ID);
    expect(shownBy("HEAD", `/v2/porting_orders/${ID.toUpperCase()}`)).toBe(ID);
    expect(shownBy("GET", `/v2/porting_orders/${ID}/readiness`)).toBe(ID);
  });

  it.each([
    ["PATCH", `/v2/porting_orders/${ID}`],
    ["GET", `/v2/porting_orders/${ID}/timeline`],
    ["GET", `/v2/port_outs/${ID}`],
    ["GET", "/v2/porting_orders/1"],
    ["GET", "/v2/porting_orders/%00"],
    ["GET", "/v2/absent"],
  ])("is none of %s %s", (method, path) => {
    expect(shownBy(method, path)).toBeNull();
  });
});
