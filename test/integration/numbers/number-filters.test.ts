import { beforeAll, expect, it } from "@jest/globals";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf } from "../../support/http/call.ts";

const ORDER_ID = "01890000-0000-7000-8000-000000000001";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.database.query(
    `insert into orders.numbers
      (account_id, phone_number, status, country_code, number_type, provider, porting_order_id, activated_at)
      select account_id, n.phone_number, n.status, n.country_code, 'local', 'sandbox', n.order_id::uuid, n.at::timestamptz
      from accounts.api_keys cross join (values
        ('+12125550143', 'active', 'US', $2, '2026-01-01T00:00:00Z'),
        ('+12125550144', 'porting_out', 'US', null, '2026-01-02T00:00:00Z'),
        ('+442079460143', 'ported_out', 'GB', null, '2026-01-03T00:00:00Z')
      ) n (phone_number, status, country_code, order_id, at) where prefix = $1`,
    [api.product.apiKey.slice(0, 14), ORDER_ID],
  );
});

it.each([
  ["", ["+442079460143", "+12125550144", "+12125550143"]],
  ["status=active", ["+12125550143"]],
  ["status=porting_out&status=ported_out", ["+442079460143", "+12125550144"]],
  ["country_code=us", ["+12125550144", "+12125550143"]],
  [`porting_order_id=${ORDER_ID.toUpperCase()}`, ["+12125550143"]],
  ["country_code=US&created_after=2026-01-02T00:00:00Z", ["+12125550144"]],
  ["starting_after=%2B442079460143&limit=1", ["+12125550144"]],
  ["starting_after=+442079460143&limit=1", ["+12125550144"]],
  ["country_code=US&starting_after=+12125550144", ["+12125550143"]],
])("the list of numbers with %j has %j", async (query, expected) => {
  const answer = await api.call("GET", `/v2/numbers?${query}`);
  expect(answer.status).toBe(200);
  expect(dataOf(answer).map((one) => one["phone_number"])).toEqual(expected);
});

it.each([
  "/v2/numbers?status=gone",
  "/v2/numbers?country_code=ZZ",
  "/v2/numbers?porting_order_id=7",
  "/v2/numbers?starting_after=12125550143",
  "/v2/port_outs?phone_number=12125550143",
  "/v2/port_outs?status=open",
])("%s can match nothing by its form and is refused", async (path) => {
  const { status, body } = await api.call("GET", path);
  expect([status, body?.["code"]]).toEqual([400, "invalid_parameter"]);
});

it("a space before the digits of a port-out's number is the plus sign that was not encoded", async () => {
  expect((await api.call("GET", "/v2/port_outs?phone_number=+12125550143")).status).toBe(200);
});

it("the requirements of a kind are listed for a country in any case", async () => {
  const listed = await api.call(
    "GET",
    "/v2/porting_requirements?country_code=gb&number_type=local",
  );
  expect([listed.status, dataOf(listed).length > 5]).toEqual([200, true]);
});
