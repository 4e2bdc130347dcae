import { beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf, type Answer } from "../../support/http/call.ts";

const ORDERS = "/v2/porting_orders";
const asked = z.array(z.looseObject({ slug: z.string(), example: z.string().optional() }));

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

async function newOrder(phone_numbers: readonly string[]): Promise<{ id: string; rio: string }> {
  const [order = {}] = dataOf(await api.call("POST", ORDERS, { phone_numbers }));
  const field = asked.parse(order["requirements"]).find(({ slug }) => slug === "rio_code");
  return { id: z.string().parse(order["id"]), rio: z.string().parse(field?.example) };
}

const put = (id: string, field_value: string): Promise<Answer> =>
  api.call("PATCH", `${ORDERS}/${id}/requirements/rio_code`, { field_value });

it("the example of a RIO is one of the order's own number, and is accepted", async () => {
  const first = await newOrder(["+33612345601"]);
  const second = await newOrder(["+33612345602"]);
  expect(first.rio).not.toBe(second.rio);
  const written = await put(first.id, first.rio.toLowerCase());
  expect([written.status, written.body?.["field_value"]]).toEqual([200, first.rio]);
  expect(written.body?.["example"]).toBe(first.rio);
});

it("a RIO whose key fits no number of the order is refused, and nothing is changed", async () => {
  const { id, rio } = await newOrder(["+33612345603"]);
  const other = await newOrder(["+33612345604"]);
  for (const wrong of [other.rio, `${rio.slice(0, 11)}${rio.endsWith("A") ? "B" : "A"}`]) {
    const refused = await put(id, wrong);
    expect(refused.status).toBe(422);
    expect(refused.body?.["errors"]).toMatchObject([
      { pointer: "#/field_value", code: "rio_mismatch" },
    ]);
  }
  expect((await put(id, "01P12345")).body?.["errors"]).toMatchObject([{ code: "invalid_format" }]);
  const { body } = await api.call("GET", `${ORDERS}/${id}`);
  expect(asked.parse(body?.["requirements"]).find(({ slug }) => slug === "rio_code")).toMatchObject(
    {
      field_value: null,
    },
  );
});

it("a RIO of any of an order's numbers is accepted, such as that of the main line", async () => {
  const { id } = await newOrder(["+33142345601", "+33142345602", "+33142345603"]);
  const of = await newOrder(["+33912345603"]);
  const main = await newOrder(["+33142345604"]);
  expect((await put(id, of.rio)).status).toBe(422);
  expect((await put(id, main.rio)).status).toBe(422);
  // The keys of 01P123456 for the second and the third number.
  for (const rio of ["01P123456OE1", "01P123456PF2"]) expect((await put(id, rio)).status).toBe(200);
});
