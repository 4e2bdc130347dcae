import { beforeAll, describe, expect, it } from "@jest/globals";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const UNKNOWN_ID = "0198c0de-0000-7000-8000-000000000001";
const ORDER = `/v2/porting_orders/${UNKNOWN_ID}`;
const ENDPOINT = `/v2/webhook_endpoints/${UNKNOWN_ID}`;
const DELIVERY = `/v2/webhook_deliveries/${UNKNOWN_ID}`;
const EVENT = `/v2/porting/events/${UNKNOWN_ID}`;
const RECOVERY = `/v2/webhook_recoveries/${UNKNOWN_ID}`;
const PORT_OUT = `/v2/port_outs/${UNKNOWN_ID}`;
const NUMBER = "/v2/numbers/%2B12125550199";
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
    ["PATCH", `${ORDER}/requirements/loa`, UNKNOWN_PROPERTY],
    ["DELETE", `${ORDER}/requirements/loa?colour=red`, undefined],
    ["GET", `${NUMBER}?colour=red`, undefined],
    ["PATCH", NUMBER, UNKNOWN_PROPERTY],
    ["GET", `${PORT_OUT}?colour=red`, undefined],
    ["POST", `${PORT_OUT}/approve`, UNKNOWN_PROPERTY],
    ["POST", `${PORT_OUT}/reject`, {}],
    ["GET", `${ENDPOINT}?colour=red`, undefined],
    ["DELETE", `${ENDPOINT}?colour=red`, undefined],
    ["PATCH", ENDPOINT, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/rotate_secret`, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/test`, UNKNOWN_PROPERTY],
    ["POST", `${ENDPOINT}/recover`, UNKNOWN_PROPERTY],
    ["GET", `${RECOVERY}?colour=red`, undefined],
    ["DELETE", `${RECOVERY}?colour=red`, undefined],
    ["GET", `${DELIVERY}?colour=red`, undefined],
    ["POST", `${DELIVERY}/retry`, UNKNOWN_PROPERTY],
    ["GET", `${EVENT}?colour=red`, undefined],
    ["GET", `${EVENT}/deliveries?limit=0`, undefined],
    ["POST", `${EVENT}/republish`, UNKNOWN_PROPERTY],
    ["DELETE", `/v2/api_keys/${UNKNOWN_ID}?colour=red`, undefined],
    ["GET", `/v2/documents/${UNKNOWN_ID}?colour=red`, undefined],
    ["DELETE", `/v2/portal_sessions/${UNKNOWN_ID}?colour=red`, undefined],
  ])("is not found: %s %s", async (method, path, body) => {
    const { status, body: problem } = await api.call(method, path, body);
    expect([status, problem?.["code"]]).toEqual([404, "not_found"]);
  });
});
