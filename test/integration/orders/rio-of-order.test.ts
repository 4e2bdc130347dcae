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

const values = z.array(
  z.object({
    phone_number: z.string(),
    field_value: z.string().nullable(),
    status: z.string(),
    exception_reason: z.string().nullable(),
    example: z.string(),
  }),
);

async function rioOf(id: string) {
  const { body } = await api.call("GET", `${ORDERS}/${id}`);
  const field = asked.parse(body?.["requirements"]).find(({ slug }) => slug === "rio_code");
  return { ...field, values: values.parse(field?.["values"]) };
}

it("each of several numbers has its own RIO, and takes it along when it leaves the order", async () => {
  const [one, two, three] = ["+33142345601", "+33142345602", "+33142345603"] as const;
  const { id } = await newOrder([one, two, three]);
  const own = new Map((await rioOf(id)).values.map((value) => [value.phone_number, value.example]));
  expect([...own.keys()]).toEqual([one, two, three]);
  const field = `${ORDERS}/${id}/requirements/rio_code`;
  const plain = await put(id, own.get(one) ?? "");
  expect([plain.status, plain.body?.["errors"]]).toMatchObject([
    422,
    [{ pointer: "#/field_value", code: "one_value_per_number" }],
  ]);
  const wrong = await api.call("PATCH", field, {
    field_values: { [one]: own.get(two), [two]: "01P12", "+33142345699": own.get(one) },
  });
  expect(wrong.body?.["errors"]).toMatchObject([
    { pointer: "#/field_values/+33142345699", code: "unknown_number" },
    { pointer: `#/field_values/${one}`, code: "rio_mismatch" },
    { pointer: `#/field_values/${two}`, code: "invalid_format" },
  ]);
  const some = { [one]: own.get(one), [two]: own.get(two) };
  expect((await api.call("PATCH", field, { field_values: some })).status).toBe(200);
  const readiness = await api.call("GET", `${ORDERS}/${id}/readiness`);
  expect(readiness.body?.["blocking"]).toEqual(
    expect.arrayContaining([
      { slug: "rio_code", code: "missing", detail: expect.stringContaining(three) },
    ]),
  );
  await api.call("PATCH", `${ORDERS}/${id}`, { remove_phone_numbers: [one, three] });
  expect(await rioOf(id)).toMatchObject({
    field_value: own.get(two),
    values: [{ phone_number: two, field_value: own.get(two) }],
  });
  const { rows } = await api.database.query(
    "select slug from orders.requirements where order_id = $1 order by slug",
    [id],
  );
  expect(rows).toEqual([{ slug: "rio_code" }, { slug: `rio_code${two}` }]);
});
