import { beforeAll, expect, it } from "@jest/globals";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf } from "../../support/http/call.ts";

const ORDER_ID = "01890000-0000-7000-8000-000000000001";

let api: TestApi;
/** What `{first}`, `{second}` and `{gb}` stand for, the last to be activated last. */
let numbers: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startTestApi();
  const { product } = api;
  numbers = {
    first: product.newNumber(),
    second: product.newNumber(),
    gb: product.newNumber("+4420"),
  };
  await api.database.query(
    `insert into orders.numbers
      (account_id, phone_number, status, country_code, number_type, provider, porting_order_id, activated_at)
      select $1::uuid, n.phone_number, n.status, n.country_code, 'local', 'sandbox', n.order_id::uuid, n.at::timestamptz
      from (values
        ($3, 'active', 'US', $2, '2026-01-01T00:00:00Z'),
        ($4, 'porting_out', 'US', null, '2026-01-02T00:00:00Z'),
        ($5, 'ported_out', 'GB', null, '2026-01-03T00:00:00Z')
      ) n (phone_number, status, country_code, order_id, at)`,
    [api.account, ORDER_ID, numbers["first"], numbers["second"], numbers["gb"]],
  );
});

it.each([
  ["", ["gb", "second", "first"]],
  ["status=active", ["first"]],
  ["status=porting_out&status=ported_out", ["gb", "second"]],
  ["country_code=us", ["second", "first"]],
  [`porting_order_id=${ORDER_ID.toUpperCase()}`, ["first"]],
  ["country_code=US&created_after=2026-01-02T00:00:00Z", ["second"]],
  ["starting_after=%2B{gb}&limit=1", ["second"]],
  ["starting_after=+{gb}&limit=1", ["second"]],
  ["country_code=US&starting_after=+{second}", ["first"]],
])("the list of numbers with %j has %j", async (query, expected) => {
  const named = query.replace(/\{(\w+)\}/, (_, name: string) => (numbers[name] ?? "").slice(1));
  const answer = await api.call("GET", `/v2/numbers?${named}`);
  expect(answer.status).toBe(200);
  expect(dataOf(answer).map((one) => one["phone_number"])).toEqual(
    expected.map((name) => numbers[name]),
  );
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
