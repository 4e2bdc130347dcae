import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { call, dataOf, type Answer } from "../../support/http/call.ts";

const CHECKS = "/v2/portability_checks";
const ORDERS = "/v2/porting_orders";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const check = (phone_numbers: unknown): Promise<Answer> =>
  api.call("POST", CHECKS, { phone_numbers });

async function reasons(...numbers: string[]): Promise<unknown[]> {
  const answer = await check(numbers);
  expect(answer.status).toBe(200);
  return dataOf(answer).map((one) => one["reason"]);
}

async function activate(phoneNumber: string, status: string): Promise<void> {
  await api.database.query(
    `insert into orders.numbers
      (account_id, phone_number, status, country_code, number_type, provider, activated_at)
      values ($1, $2, $3, 'US', 'local', 'sandbox', now())`,
    [api.account, phoneNumber, status],
  );
}

describe("POST /v2/portability_checks", () => {
  it("answers every number of the request once, in the request's order", async () => {
    const { product } = api;
    const [gb, us] = [product.newNumber("+4420"), product.newNumber()];
    const numbers = [gb, us, "no number", gb, "+1\u202e"];
    const answer = await check(numbers);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body ?? {})).toEqual(["data"]);
    const data = dataOf(answer);
    expect(data.map((one) => one["phone_number"])).toEqual([gb, us, "no number", "+1\u202e"]);
    expect(data[0]).toEqual({
      phone_number: gb,
      portable: true,
      country_code: "GB",
      number_type: "local",
      losing_carrier: null,
      reason: null,
      detail: null,
      earliest_foc: z.iso.datetime({ offset: true }).parse(data[0]?.["earliest_foc"]),
    });
    expect(data[2]).toEqual({
      phone_number: "no number",
      portable: false,
      country_code: null,
      number_type: null,
      losing_carrier: null,
      reason: "invalid_number",
      detail: expect.stringContaining("E.164"),
      earliest_foc: null,
    });
  });

  it("reports what order creation would refuse, for as long as it would", async () => {
    const { product } = api;
    const [ordered, active, left] = [product.newNumber(), product.newNumber(), product.newNumber()];
    expect(await reasons(ordered, active, left, "+551123456789")).toEqual([
      null,
      null,
      null,
      "country_not_supported",
    ]);
    await activate(active, "active");
    await activate(left, "ported_out");
    const made = await api.call("POST", ORDERS, { phone_numbers: [ordered] });
    expect(made.status).toBe(201);
    expect(await reasons(ordered, active, left)).toEqual([
      "number_in_active_order",
      "already_active",
      null,
    ]);
    await api.call("DELETE", `${ORDERS}/${String(dataOf(made)[0]?.["id"])}`);
    expect(await reasons(ordered)).toEqual([null]);
  });

  it("names the losing carrier where the directory has it", async () => {
    const data = dataOf(await check(["+12127369001", api.product.newNumber()]));
    expect(data.map((one) => one["losing_carrier"])).toEqual(["Verizon", null]);
  });

  it("accepts 1,000 numbers", async () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => `+1303555${String(1_000 + n)}`);
    const data = dataOf(await check(numbers));
    expect(data.map((one) => one["phone_number"])).toEqual(numbers);
    expect(data.every((one) => one["portable"] === true)).toBe(true);
  });

  it.each([[[]], [Array.from({ length: 1_001 }, () => "+12125559001")], [[7]], ["+12125559001"]])(
    "refuses an invalid list",
    async (numbers) => {
      expect((await check(numbers)).status).toBe(422);
    },
  );

  it("refuses an unknown property, and a caller without a key", async () => {
    const body = { phone_numbers: ["+12125559001"] };
    expect((await api.call("POST", CHECKS, { ...body, country: "US" })).status).toBe(422);
    expect((await call(api.product.apiUrl + CHECKS, { method: "POST", body })).status).toBe(401);
  });
});

describe("an order for numbers of several kinds", () => {
  it("is split, each part with the requirements of its kind", async () => {
    const numbers = ["+442079460020", "+447400123456", "+33612345678", "+611800123456"];
    const made = await api.call("POST", ORDERS, { phone_numbers: numbers });
    expect(made.status).toBe(201);
    const orders = dataOf(made);
    expect(orders.map((one) => [one["country_code"], one["number_type"]])).toEqual([
      ["GB", "local"],
      ["GB", "mobile"],
      ["FR", "mobile"],
      ["AU", "toll_free"],
    ]);
    for (const order of orders) {
      const query = `country_code=${String(order["country_code"])}&number_type=${String(order["number_type"])}`;
      const listed = dataOf(await api.call("GET", `/v2/porting_requirements?${query}`));
      const asked = z.array(z.object({ slug: z.string() })).parse(order["requirements"]);
      expect(asked.map(({ slug }) => slug)).toEqual(listed.map((one) => one["slug"]));
    }
  });

  it("accepts every example of a value as shown", async () => {
    const made = await api.call("POST", ORDERS, {
      phone_numbers: [
        ...["+442079460030", "+33142345630", "+34912345630", "+14165559030", "+61293741130"],
        ...["+493023125130", "+4915123456730", "+34612345630", "+61412345630", "+33612345630"],
      ],
    });
    for (const order of dataOf(made)) {
      const asked = z
        .array(z.object({ slug: z.string(), field_type: z.string(), example: z.string() }))
        .parse(order["requirements"]);
      for (const { slug, example } of asked.filter((one) => one.field_type !== "document")) {
        const path = `${ORDERS}/${String(order["id"])}/requirements/${slug}`;
        expect([slug, (await api.call("PATCH", path, { field_value: example })).status]).toEqual([
          slug,
          200,
        ]);
      }
    }
  });
});

describe("the type that a check names", () => {
  it("decides where the numbering plan leaves it open", async () => {
    const phone_numbers = ["+12125559020", "+14165559020"];
    const answer = await api.call("POST", CHECKS, { phone_numbers, number_type: "mobile" });
    expect(dataOf(answer).map((one) => [one["number_type"], one["portable"]])).toEqual([
      ["mobile", true],
      ["mobile", true],
    ]);
  });

  it("is refused for every number whose plan contradicts it, as it is in an order", async () => {
    const phone_numbers = ["+12125559021", "+442079460021", "+18002255288", "nonsense"];
    for (const path of [CHECKS, ORDERS]) {
      const { status, body } = await api.call("POST", path, {
        phone_numbers,
        number_type: "mobile",
      });
      expect([status, body?.["code"]]).toEqual([422, "validation_failed"]);
      const faults = z.array(z.object({ pointer: z.string(), code: z.string() }));
      const mismatched = faults
        .parse(body?.["errors"])
        .filter(({ code }) => code === "number_type_mismatch");
      expect(mismatched.map(({ pointer }) => pointer)).toEqual([
        "#/phone_numbers/1",
        "#/phone_numbers/2",
      ]);
    }
  });
});
