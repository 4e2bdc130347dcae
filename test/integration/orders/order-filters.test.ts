import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import { COUNTRY_CODES } from "../../../services/domain/countries/country-code.ts";
import type { OrderFilter } from "../../../services/api/orders/store/list-orders.ts";
import { newId } from "../../../services/platform/ids.ts";
import { readPlan } from "../../support/stack/read-plan.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf, type Answer } from "../../support/http/call.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const ORDERS = "/v2/porting_orders";
const MANY = 20_000;

let api: TestApi;
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await startTestApi();
  const make = async (name: string, body: Record<string, unknown>) => {
    const made = await api.call("POST", ORDERS, body);
    expect([name, made.status]).toEqual([name, 201]);
    ids[name] = z.string().parse(dataOf(made)[0]?.["id"]);
  };
  await make("us", { phone_numbers: ["+12125550143"], losing_carrier: "Verizon" });
  await make("us mobile", { phone_numbers: ["+12125550144"], number_type: "mobile" });
  await make("gb", { phone_numbers: ["+442079460143"], customer_reference: "a & b" });
  await make("fr", { phone_numbers: ["+33142345143"], losing_carrier: " Orange " });
  await confirm("us", "2026-12-01T10:00:00-05:00");
  await confirm("gb", "2026-12-01T15:00:00Z");
  await confirm("fr", "2026-12-02T00:30:00+01:00");
});

/** Sets an order's port date, as a carrier would. */
async function confirm(name: string, focActual: string): Promise<void> {
  await api.database.query("update orders.porting_orders set foc_actual = $2 where id = $1", [
    ids[name],
    focActual,
  ]);
}

const list = (query: string): Promise<Answer> => api.call("GET", `${ORDERS}?${query}`);

/** The names of the orders that a query finds, newest first. */
async function found(query: string): Promise<string[]> {
  const answer = await list(query);
  expect([query, answer.status]).toEqual([query, 200]);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return dataOf(answer).map((one) => names.get(String(one["id"])) ?? "?");
}

/** What each filter finds; `batch_id` has a test of its own. */
const FOUND: Readonly<Record<Exclude<keyof OrderFilter, "batch_id">, Record<string, string[]>>> = {
  status: {
    "status=draft&status=in_review": ["fr", "gb", "us mobile", "us"],
    "status=completed": [],
  },
  customer_reference: {
    "customer_reference=a%20%26%20b": ["gb"],
  },
  phone_number: {
    "phone_number=%2B12125550144": ["us mobile"],
    "phone_number=+12125550144": ["us mobile"],
    "phone_number=%2B12125550199": [],
  },
  country_code: {
    "country_code=US": ["us mobile", "us"],
    "country_code=us": ["us mobile", "us"],
    "country_code=Gb": ["gb"],
  },
  number_type: {
    "number_type=mobile": ["us mobile"],
    "number_type=local&country_code=fr": ["fr"],
  },
  losing_carrier: {
    "losing_carrier=Verizon": ["us"],
    "losing_carrier=verizon": ["us"],
    "losing_carrier=%20VERIZON%20": ["us"],
    "losing_carrier=orange": ["fr"],
    "losing_carrier=Veri": [],
  },
  foc_after: {
    "foc_after=2026-12-01T15:00:00Z": ["fr", "gb", "us"],
    "foc_after=2026-12-01T15:00:00.001Z": ["fr"],
    "foc_after=2026-12-01T16:00:00%2B01:00&foc_before=2026-12-01T15:00:01Z": ["gb", "us"],
    "foc_after=2026-12-01T15:00:00Z&order=asc&limit=1": ["us"],
  },
  foc_before: {
    "foc_before=2026-12-01T15:00:00Z": [],
    "foc_before=2026-12-01T23:30:00Z": ["gb", "us"],
  },
};

describe("the filters of the list of orders", () => {
  it.each(Object.values(FOUND).flatMap((found) => Object.entries(found)))(
    "%s finds %j",
    async (query, expected) => {
      expect(await found(query)).toEqual(expected);
    },
  );

  it("find the orders of a batch, and turn pages by cursor", async () => {
    const { body } = await api.call("GET", `${ORDERS}/${ids["gb"] ?? ""}`);
    expect(await found(`batch_id=${String(body?.["batch_id"])}`)).toEqual(["gb"]);
    const first = await list("foc_after=2026-12-01T15:00:00Z&limit=1");
    expect(first.body?.["has_more"]).toBe(true);
    const next = `foc_after=2026-12-01T15:00:00Z&limit=1&starting_after=${ids["fr"] ?? ""}`;
    expect(await found(next)).toEqual(["gb"]);
  });

  it.each([
    ["phone_number=2125550144", "phone_number"],
    ["phone_number=%2B1", "phone_number"],
    ["phone_number=%20%2B12125550144", "phone_number"],
    ["country_code=ZZ", "country_code"],
    ["country_code=USA", "country_code"],
    ["country_code=", "country_code"],
    ["number_type=landline", "number_type"],
    ["status=open", "status"],
    ["batch_id=1", "batch_id"],
    ["losing_carrier=", "losing_carrier"],
    ["losing_carrier=%20", "losing_carrier"],
    [`losing_carrier=${"x".repeat(65)}`, "losing_carrier"],
    [`customer_reference=${"x".repeat(129)}`, "customer_reference"],
    ["foc_after=2026-12-01", "foc_after"],
    ["foc_before=soon", "foc_before"],
  ])("refuse %s, which can match nothing by its form", async (query, parameter) => {
    const { status, body } = await list(query);
    expect([status, body?.["code"]]).toEqual([400, "invalid_parameter"]);
    expect(body?.["errors"]).toMatchObject([{ parameter }]);
  });

  it("say which countries there are", async () => {
    const { body } = await list("country_code=CH");
    expect(JSON.stringify(body?.["errors"])).toContain(COUNTRY_CODES.join(", "));
  });
});

describe("a filter that few of many orders match", () => {
  const account = newId(new Date());
  let database: pg.Client;

  beforeAll(async () => {
    database = await connectClient((await createTestDatabase()).url);
    for (const fields of [
      { losing_carrier: "Verizon", foc_actual: "2026-12-01T10:00:00-05:00" },
      { number_type: "mobile" },
      { country_code: "GB", foc_actual: "2026-12-01T15:00:00Z" },
      { country_code: "FR", losing_carrier: "Orange", foc_actual: "2026-12-02T00:30:00+01:00" },
    ]) {
      await storeOrder(database, { account_id: account, ...fields });
    }
    await database.query(
      `insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
          losing_carrier, customer_reference, foc_actual, created_at, updated_at, requirement_profile_id)
        select gen_random_uuid(), $1, gen_random_uuid(), 'completed', 'manual', 'CA', 'toll_free', 'Bell', 'many',
          to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), now(), now(),
          gen_random_uuid()
        from generate_series(1, ${MANY}) n`,
      [account],
    );
    await database.query("analyze orders.porting_orders");
  });

  const dated = "foc_actual is not null and orders.instant_of(foc_actual)";
  /** A condition that few orders meet, and how many; `phone_number` is read from the numbers' own index. */
  const few: Readonly<Record<Exclude<keyof OrderFilter, "phone_number">, [string, number]>> = {
    status: ["status = any ('{draft}')", 4],
    customer_reference: ["customer_reference = 'one'", 0],
    batch_id: ["batch_id = '00000000-0000-0000-0000-000000000000'", 0],
    country_code: ["country_code = 'GB'", 1],
    number_type: ["number_type = 'mobile'", 1],
    losing_carrier: ["lower(btrim(losing_carrier)) = lower(btrim('verizon'))", 1],
    foc_after: [`${dated} >= timestamptz '2026-12-01T15:00:00Z'`, 3],
    foc_before: [`${dated} < timestamptz '2026-01-01T00:03:00Z'`, 2],
  };

  it.each(Object.values(few))("reads the index alone: %s", async (condition, expected) => {
    const { rows } = await database.query<Record<string, unknown>>(
      `explain (analyze, format json) select id from orders.porting_orders
        where account_id = (select account_id from orders.porting_orders limit 1) and deleted_at is null
          and id > '00000000-0000-0000-0000-000000000000' and ${condition} order by id desc limit 51`,
    );
    const { rowsRead } = readPlan(rows[0], "porting_orders");
    expect(rowsRead).toBeLessThanOrEqual(expected + 10);
  });
});
