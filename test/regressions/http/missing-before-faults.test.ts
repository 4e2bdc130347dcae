import { beforeAll, describe, expect, it } from "@jest/globals";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const UNKNOWN_ID = "0198c0de-0000-7000-8000-000000000001";
const ORDER = `/v2/porting_orders/${UNKNOWN_ID}`;
const ENDPOINT = `/v2/webhook_endpoints/${UNKNOWN_ID}`;
const UNKNOWN_PROPERTY = { colour: "red" };

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

describe("an invalid request for an object that the account does not have", () => {
  it.each([
    ["PATCH", ORDER, UNKNOWN_PROPERTY],
    ["PATCH", ORDER, { webhook_url: "ftp://example.com" }],
    ["GET", `${ORDER}?colour=red`, undefined],
    ["DELETE", `${ORDER}?colour=red`, undefined],
    ["GET", `${ORDER}/readiness?colour=red`, undefined],
    ["POST", `${ORDER}/submit`, UNKNOWN_PROPERTY],
    ["POST", `${ORDER}/cancel`, UNKNOWN_PROPERTY],
    ["GET", `${ORDER}/comments?limit=0`, undefined],
    ["POST", `${ORDER}/comments`, {}],
    ["GET", `${ORDER}/timeline?limit=0`, undefined],
    ["GET", `${ORDER}/loa?colour=red`, undefined],
    ["POST", `${ORDER}/loa/sign`, {}],
    ["PATCH", "/v2/numbers/%2B12125550199", UNKNOWN_PROPERTY],
    ["POST", `/v2/port_outs/${UNKNOWN_ID}/reject`, {}],
    ["PATCH", ENDPOINT, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/rotate_secret`, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/test`, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/recover`, UNKNOWN_PROPERTY],
  ])("is not found: %s %s", async (method, path, body) => {
    const { status, body: problem } = await api.call(method, path, body);
    expect([status, problem?.["code"]]).toEqual([404, "not_found"]);
  });
});
