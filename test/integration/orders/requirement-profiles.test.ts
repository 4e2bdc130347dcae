/** @tier all */
import { beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf } from "../../support/http/call.ts";

const PATH = "/v2/porting_orders";
const asked = z.array(z.looseObject({ slug: z.string() }));

let api: TestApi;

beforeAll(async () => {
  // It counts whole tables.
  api = await startTestApi({});
});

async function newOrder(phoneNumber: string): Promise<string> {
  const made = await api.call("POST", PATH, { phone_numbers: [phoneNumber] });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

async function slugsOf(id: string): Promise<string[]> {
  const read = await api.call("GET", `${PATH}/${id}`);
  return asked.parse(read.body?.["requirements"]).map(({ slug }) => slug);
}

async function count(from: string, values: unknown[] = []): Promise<number> {
  const { rows } = await api.database.query<{ n: number }>(
    `select count(*)::integer n from ${from}`,
    values,
  );
  return rows[0]?.n ?? -1;
}

it("orders of one kind share their requirement profile, and only written fields have a row", async () => {
  const [first, second] = [await newOrder("+12125559001"), await newOrder("+12125559002")];
  const other = await newOrder("+442079460001");
  const profiles = await api.database.query<{ ids: number; rows: number }>(
    `select count(distinct requirement_profile_id)::integer as ids,
      (select count(*)::integer from orders.requirement_profiles) as rows from orders.porting_orders`,
  );
  expect(profiles.rows[0]).toEqual({ ids: 2, rows: 2 });
  expect(await slugsOf(first)).toEqual(await slugsOf(second));
  expect(await slugsOf(first)).not.toEqual(await slugsOf(other));

  const written = await api.call("PATCH", `${PATH}/${first}/requirements/auth_person_name`, {
    field_value: "Ada Lovelace",
  });
  expect(written.status).toBe(200);
  expect(await count("orders.requirements where order_id = $1", [first])).toBe(1);
  expect(await count("orders.requirements where order_id <> $1", [first])).toBe(0);
  expect(await slugsOf(first)).toEqual(await slugsOf(second));
});

it("an order keeps the requirements of its creation when the catalogue changes", async () => {
  const [before, after] = [await newOrder("+12125559003"), await newOrder("+12125559004")];
  const older = JSON.stringify([
    { slug: "loa", field_type: "document", mandatory: true, max_age_days: 30 },
    { slug: "account_number", field_type: "text", mandatory: false, max_age_days: null },
  ]);
  await api.database.query(
    `with kept as (
      insert into orders.requirement_profiles select orders.requirement_profile_id($1::jsonb), $1::jsonb returning id
    ) update orders.porting_orders set requirement_profile_id = kept.id from kept where porting_orders.id = $2`,
    [older, before],
  );
  expect(await slugsOf(before)).toEqual(["loa", "account_number"]);
  expect((await slugsOf(after)).length).toBeGreaterThan(2);
});
