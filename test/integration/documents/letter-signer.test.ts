import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf, type Answer } from "../../support/http/call.ts";
import { exampleNumberOf } from "../../support/orders/example-numbers.ts";

const ORDERS = "/v2/porting_orders";
const requirements = z.array(
  z.object({ slug: z.string(), field_type: z.string(), example: z.string() }),
);

let api: TestApi;
let made = 0;

beforeAll(async () => {
  api = await startTestApi();
});

/** An order of the kind whose values, but no documents, are the requirements' own examples. */
async function newOrder(country: string, type: string): Promise<string> {
  const first = exampleNumberOf(country, type);
  const number = first.slice(0, -2) + String((made += 1)).padStart(2, "0");
  const created = await api.call("POST", ORDERS, { phone_numbers: [number] });
  const id = z.string().parse(dataOf(created)[0]?.["id"]);
  const { body } = await api.call("GET", `${ORDERS}/${id}`);
  for (const { slug, field_type, example } of requirements.parse(body?.["requirements"])) {
    if (field_type === "document") continue;
    const path = `${ORDERS}/${id}/requirements/${slug}`;
    const written = await api.call("PATCH", path, { field_value: example });
    expect([slug, written.status]).toEqual([slug, 200]);
  }
  return id;
}

const sign = (id: string, signer_name: string): Promise<Answer> =>
  api.call("POST", `${ORDERS}/${id}/loa/sign`, { signer_name, consent: true });

function faultsOf({ status, body }: Answer): unknown[] {
  const errors = z.array(z.object({ pointer: z.string(), code: z.string() })).default([]);
  const faults = errors.parse(body?.["errors"]);
  return [status, body?.["code"], ...faults.map(({ pointer, code }) => `${pointer} ${code}`)];
}

const MISMATCH = [422, "validation_failed", "#/signer_name signer_mismatch"];

describe("the signer of a kind that asks for an authorized person", () => {
  it.each(["GB", "FR", "DE", "ES", "AU"])("is that person, in %s too", async (country) => {
    const id = await newOrder(country, "local");
    expect(faultsOf(await sign(id, "Ada Lovelace"))).toEqual(MISMATCH);
    expect((await sign(id, "Grace Hopper")).status).toBe(201);
  });

  it("may write the name with other case, spaces and accents", async () => {
    const id = await newOrder("GB", "toll_free");
    const path = `${ORDERS}/${id}/requirements/auth_person_name`;
    await api.call("PATCH", path, { field_value: "José Ibáñez" });
    expect(faultsOf(await sign(id, "Jose Ibane"))).toEqual(MISMATCH);
    expect((await sign(id, "JOSE  ibanez")).status).toBe(201);
  });

  it("is refused with the name that the order has, before anything else of the order", async () => {
    const id = await newOrder("FR", "national");
    await api.database.query("delete from orders.requirements where order_id = $1 and slug = $2", [
      id,
      "entity_name",
    ]);
    const refused = await sign(id, "Ada Lovelace");
    expect(faultsOf(refused)).toEqual(MISMATCH);
    expect(JSON.stringify(refused.body)).toContain("Grace Hopper");
    const unready = await sign(id, "Grace Hopper");
    expect(faultsOf(unready)).toEqual([409, "not_ready", "#/requirements/entity_name missing"]);
  });
});

it.each(["GB", "FR", "DE", "ES", "AU"])(
  "anyone may sign for the holder of a mobile line in %s, whose letter names no other person",
  async (country) => {
    const id = await newOrder(country, "mobile");
    expect((await sign(id, "Ada Lovelace")).status).toBe(201);
  },
);

describe("an order that was created when its kind asked for less", () => {
  async function olderOrder(items: readonly [slug: string, type: string][]): Promise<string> {
    const id = await newOrder("ES", "mobile");
    const asked = items.map(([slug, field_type]) => {
      return { slug, field_type, mandatory: true, max_age_days: null };
    });
    await api.database.query(
      `with kept as (
        insert into orders.requirement_profiles select orders.requirement_profile_id($1::jsonb), $1::jsonb
        on conflict (id) do update set items = excluded.items returning id
      ), emptied as (delete from orders.requirements where order_id = $2)
      update orders.porting_orders set requirement_profile_id = kept.id from kept where porting_orders.id = $2`,
      [JSON.stringify(asked), id],
    );
    return id;
  }

  it("is fulfilled and signed by what it asks for, though its kind asks for other fields now", async () => {
    const id = await olderOrder([
      ["loa", "document"],
      ["tax_id", "text"],
      ["access_type", "choice"],
    ]);
    const put = async (slug: string, field_value: string) =>
      (await api.call("PATCH", `${ORDERS}/${id}/requirements/${slug}`, { field_value })).status;
    expect(await put("tax_id", "B12345674")).toBe(200);
    expect(await put("access_type", "multi")).toBe(200);
    expect(await put("entity_name", "Acme")).toBe(404);
    expect(await put("icc_id", "8934071234567890125")).toBe(404);
    expect((await sign(id, "Whoever Signs")).status).toBe(201);
    const { body } = await api.call("GET", `${ORDERS}/${id}`);
    const shown = z.array(z.record(z.string(), z.unknown())).parse(body?.["requirements"]);
    expect(shown.map(({ slug, name }) => [slug, name])).toEqual([
      ["loa", "Letter of authorization"],
      ["tax_id", "Tax id or passport"],
      ["access_type", "Type of access"],
    ]);
  });
});
