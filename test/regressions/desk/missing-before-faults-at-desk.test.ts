import { beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../support/http/call.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const UNKNOWN_ID = "0198c0de-0000-7000-8000-000000000001";
const ORDER = `/orders/${UNKNOWN_ID}`;
const CASE = `/reviews/${UNKNOWN_ID}`;

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

describe("an invalid request of the desk for what there is not", () => {
  it.each([
    ["GET", `${ORDER}?colour=red`, undefined],
    ["GET", `${ORDER}/timeline?limit=0`, undefined],
    ["GET", `${ORDER}/comments?limit=0`, undefined],
    ["GET", `${ORDER}/messages?limit=0`, undefined],
    ["GET", `${ORDER}/deliveries?limit=0`, undefined],
    ["POST", `${ORDER}/close`, {}],
    ["POST", `${ORDER}/comments`, {}],
    ["POST", `${ORDER}/notes`, {}],
    ["POST", `${ORDER}/carrier_updates`, {}],
    ["GET", `${CASE}?masked=perhaps`, undefined],
    ["POST", `${CASE}/claim`, { colour: "red" }],
    ["POST", `${CASE}/release`, { colour: "red" }],
    ["POST", `${CASE}/assign`, { operator_id: UNKNOWN_ID }],
    ["POST", `${CASE}/decision`, {}],
    ["POST", `/port_outs/${UNKNOWN_ID}/approve`, { colour: "red" }],
    ["POST", `/port_outs/${UNKNOWN_ID}/reject`, {}],
    ["GET", `/documents/${UNKNOWN_ID}?page=0`, undefined],
    ["GET", `/deliveries/${UNKNOWN_ID}?colour=red`, undefined],
    ["POST", `/deliveries/${UNKNOWN_ID}/retry`, { colour: "red" }],
    ["GET", `/webhook_endpoints/${UNKNOWN_ID}?colour=red`, undefined],
    ["POST", `/webhook_endpoints/${UNKNOWN_ID}/resume`, { colour: "red" }],
    ["POST", `/dead_letters/${UNKNOWN_ID}/replay`, { colour: "red" }],
    ["PATCH", `/accounts/${UNKNOWN_ID}`, {}],
    ["POST", `/accounts/${UNKNOWN_ID}/reinstate`, { colour: "red" }],
    ["DELETE", `/accounts/${UNKNOWN_ID}/api_keys/${UNKNOWN_ID}?colour=red`, undefined],
    ["PATCH", `/operators/${UNKNOWN_ID}`, {}],
    ["POST", `/operators/${UNKNOWN_ID}/tokens`, { colour: "red" }],
    ["DELETE", `/operators/${UNKNOWN_ID}/tokens/${UNKNOWN_ID}?colour=red`, undefined],
    ["POST", `/sandbox${ORDER}/comment`, {}],
  ])("is not found: %s %s", async (method, path, body) => {
    const url = `${product.deskUrl}/desk/v1${path}`;
    const answer = await call(url, { method, key: product.deskToken, body });
    expect([answer.status, answer.body?.["code"]]).toEqual([404, "not_found"]);
  });
});
