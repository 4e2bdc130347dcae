import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { removeUnused } from "../../../services/api/documents/sweep-documents.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const GROUPS = "/v2/requirement_groups";
const ORDERS = "/v2/porting_orders";
const HOLDER = { entity_name: "Acme Dental LLC", auth_person_name: "Grace Hopper" };
const UNUSED_MS = 86_400_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const orderShape = z.looseObject({
  id: z.string(),
  requirements: z.array(z.looseObject({ slug: z.string(), field_value: z.string().nullable() })),
});

const ordersOf = (answer: Answer) => z.array(orderShape).parse(dataOf(answer));

const faultsOf = (answer: Answer) =>
  z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"])
    .map(({ pointer, code }) => `${pointer} ${code}`);

function valuesOf(order: z.output<typeof orderShape> | undefined): Record<string, string | null> {
  const given = (order?.requirements ?? []).filter(({ field_value: value }) => value !== null);
  return Object.fromEntries(given.map(({ slug, field_value }) => [slug, field_value]));
}

async function upload(): Promise<string> {
  const form = (): FormData => {
    const fields = new FormData();
    fields.set("document_date", new Date().toISOString());
    fields.set("file", new Blob([new Uint8Array(testPdf("An invoice"))]), "invoice.pdf");
    return fields;
  };
  return textOf(await api.call("POST", "/v2/documents", undefined, { form }), "id");
}

async function save(body: Record<string, unknown>): Promise<string> {
  const saved = await api.call("POST", GROUPS, { name: "Acme", ...body });
  expect([saved.status, saved.body?.["errors"]]).toEqual([201, undefined]);
  return textOf(saved, "id");
}

const create = (body: Record<string, unknown>) =>
  api.call("POST", ORDERS, { phone_numbers: [api.product.newNumber()], ...body });

describe("a saved holder", () => {
  it("gives its values to the orders that ask for them, but for what the request itself gives", async () => {
    const invoice = await upload();
    const requirements = { ...HOLDER, invoice, tax_id: "B12345674" };
    const requirement_group_id = await save({ requirements });
    const made = await create({ requirement_group_id });
    expect(made.status).toBe(201);
    const [order] = ordersOf(made);
    expect(valuesOf(order)).toEqual({ ...HOLDER, invoice: expect.any(String) });
    const own = { auth_person_name: "Ada Lovelace" };
    const [other] = ordersOf(await create({ requirement_group_id, requirements: own }));
    expect(valuesOf(other)).toMatchObject({ ...HOLDER, ...own });
  });

  it("gives them to a draft that is changed, and later changes of it reach no order", async () => {
    const requirement_group_id = await save({ requirements: HOLDER });
    const own = { auth_person_name: "Ada Lovelace" };
    const [draft] = ordersOf(await create({ requirements: own }));
    const path = `${ORDERS}/${draft?.id ?? ""}`;
    const changed = await api.call("PATCH", path, { requirement_group_id });
    expect(valuesOf(orderShape.parse(changed.body))).toEqual({ ...HOLDER, ...own });
    const group = `${GROUPS}/${requirement_group_id}`;
    const requirements = { entity_name: "Acme Optics" };
    const after = await api.call("PATCH", group, { name: "Optics", requirements });
    expect(after.body).toMatchObject({ name: "Optics", requirements });
    expect((await api.call("DELETE", group)).status).toBe(204);
    expect((await api.call("GET", group)).status).toBe(404);
    const left = orderShape.parse((await api.call("GET", path)).body);
    expect(valuesOf(left)).toEqual({ ...HOLDER, ...own });
  });

  it("gives each order what that takes of it", async () => {
    const invoice = await upload();
    const service_address = "Unter den Linden 1\nBerlin\n10117\nDE";
    const requirement_group_id = await save({
      requirements: { ...HOLDER, service_address, invoice },
    });
    const old =
      "update orders.documents set document_date = now() - interval '400 days' where id = $1";
    await api.database.query(old, [invoice]);
    const phone_numbers = [api.product.newNumber(), api.product.newNumber("+4930")];
    const made = await create({ phone_numbers, requirement_group_id });
    expect([made.status, made.body?.["errors"]]).toEqual([201, undefined]);
    const [american, german] = ordersOf(made);
    expect(valuesOf(american)).toEqual(HOLDER);
    expect(valuesOf(german)).toMatchObject({ entity_name: HOLDER.entity_name, service_address });
  });

  it("can be taken from an order, without what belongs to that order", async () => {
    const requirements = { ...HOLDER, account_number: "8772-114-90210", invoice: await upload() };
    const [order] = ordersOf(await create({ requirements }));
    const id = await save({ porting_order_id: order?.id });
    const saved = await api.call("GET", `${GROUPS}/${id}`);
    expect(saved.body).toMatchObject({ name: "Acme", requirements: HOLDER });
    const empty = ordersOf(await create({}))[0]?.id;
    const refused = await api.call("POST", GROUPS, { name: "Nobody", porting_order_id: empty });
    expect([refused.status, faultsOf(refused)]).toEqual([422, ["#/porting_order_id required"]]);
    const unknown = { name: "Nobody", porting_order_id: randomUUID() };
    expect(faultsOf(await api.call("POST", GROUPS, unknown))).toEqual([
      "#/porting_order_id unknown_order",
    ]);
  });

  it("is refused with every fault of its values, and creates no order with one", async () => {
    const requirements = {
      ...HOLDER,
      birth_date: "1",
      invoice: randomUUID(),
      pin_passcode: "1234",
    };
    const refused = await api.call("POST", GROUPS, { name: "Acme", requirements });
    expect([refused.status, faultsOf(refused)]).toEqual([
      422,
      [
        "#/requirements/birth_date invalid_date",
        "#/requirements/invoice unknown_document",
        "#/requirements/pin_passcode unknown_requirement",
      ],
    ]);
    const nothing = await api.call("POST", GROUPS, { name: "Acme" });
    expect(faultsOf(nothing)).toEqual(["#/requirements required"]);
  });

  it("is its account's alone", async () => {
    const id = await save({ requirements: HOLDER });
    const other = await startTestApi();
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await other.call(
        method,
        `${GROUPS}/${id}`,
        method === "PATCH" ? {} : undefined,
      );
      expect(answer.status).toBe(404);
    }
    const body = { phone_numbers: [other.product.newNumber()], requirement_group_id: id };
    const refused = await other.call("POST", ORDERS, body);
    expect([refused.status, faultsOf(refused)]).toEqual([
      422,
      ["#/requirement_group_id unknown_requirement_group"],
    ]);
    expect(dataOf(await other.call("GET", GROUPS))).toEqual([]);
  });

  it("is listed newest first, in pages, and audited without its values", async () => {
    const one = await startTestApi();
    const ids: string[] = [];
    for (const name of ["A", "B", "C"]) {
      const saved = await one.call("POST", GROUPS, { name, requirements: HOLDER });
      ids.unshift(textOf(saved, "id"));
    }
    const first = await one.call("GET", `${GROUPS}?limit=2`);
    expect(dataOf(first).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = await one.call("GET", `${GROUPS}?limit=2&starting_after=${ids[1] ?? ""}`);
    expect(dataOf(next).map(({ id }) => id)).toEqual(ids.slice(2));
    const { rows } = await one.database.query<{ after: unknown }>(
      "select after from accounts.audit_log where action = 'requirement_group.created' and account_id = $1",
      [one.account],
    );
    expect(rows.map(({ after }) => JSON.stringify(after))).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/Acme|"A"/);
  });

  it("keeps its documents from lapsing", async () => {
    const [kept, lapsing] = [await upload(), await upload()];
    const id = await save({ requirements: { invoice: kept } });
    await api.database.query(
      "update orders.documents set used_at = now() - interval '2 days' where id = any ($1)",
      [[kept, lapsing]],
    );
    const sweep = () =>
      removeUnused({
        pool: api.database,
        files: { remove: () => Promise.resolve() },
        clock: systemClock,
        unusedMs: UNUSED_MS,
      });
    const remaining = async () => {
      const text = "select id from orders.documents where id = any ($1)";
      return (await api.database.query<{ id: string }>(text, [[kept, lapsing]])).rows;
    };
    await sweep();
    expect(await remaining()).toEqual([{ id: kept }]);
    expect((await api.call("DELETE", `${GROUPS}/${id}`)).status).toBe(204);
    await sweep();
    expect(await remaining()).toEqual([]);
  });
});
