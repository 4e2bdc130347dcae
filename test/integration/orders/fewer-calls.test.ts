import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { definitionOf } from "../../../services/domain/requirement/rules/catalogue.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const ORDERS = "/v2/porting_orders";
const SIGNATURE = { signer_name: "Grace Hopper", consent: true };
/** What an order of US local numbers must be given, but for its documents. */
const VALUES = {
  entity_name: "Acme Dental LLC",
  auth_person_name: "Grace Hopper",
  service_address: "350 5th Ave\nNew York\nNY 10118\nUS",
  account_number: "8772-114-90210",
  billing_phone_number: "+12125550100",
};

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const requirement = z.looseObject({ slug: z.string(), field_value: z.string().nullable() });
const orderShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  customer_reference: z.string(),
  requirements: z.array(requirement),
});

const ordersOf = (answer: Answer) => z.array(orderShape).parse(dataOf(answer));

const create = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  api.call("POST", ORDERS, body, { headers });

function faultsOf(answer: Answer): string[] {
  return z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted();
}

async function upload(documentDate = new Date()): Promise<string> {
  const form = (): FormData => {
    const fields = new FormData();
    fields.set("document_date", documentDate.toISOString());
    fields.set("file", new Blob([new Uint8Array(testPdf("An invoice"))]), "invoice.pdf");
    return fields;
  };
  const answer = await api.call("POST", "/v2/documents", undefined, { form });
  expect(answer.status).toBe(201);
  return textOf(answer, "id");
}

async function whole(): Promise<Record<string, unknown>> {
  return { ...VALUES, invoice: await upload(), loa: SIGNATURE };
}

const valueOf = (order: z.output<typeof orderShape> | undefined, slug: string) =>
  order?.requirements.find((one) => one.slug === slug)?.field_value;

const read = async (id: string) =>
  orderShape.parse((await api.call("GET", `${ORDERS}/${id}`)).body);

describe("requirements given at the creation of orders", () => {
  it("leave nothing to do but to submit, which waits for the checks of documents", async () => {
    const made = await create({
      phone_numbers: [api.product.newNumber()],
      requirements: await whole(),
    });
    expect(made.status).toBe(201);
    const [order] = ordersOf(made);
    expect(valueOf(order, "account_number")).toBe("****0210");
    const submitted = await api.call("POST", `${ORDERS}/${order?.id ?? ""}/submit`, {});
    expect([submitted.status, submitted.body?.["status"]]).toEqual([200, "in_review"]);
    await eventually(async () => {
      const path = `/v2/porting/events?porting_order_id=${order?.id ?? ""}&order=asc`;
      const events = dataOf(await api.call("GET", path));
      expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
        "porting_order.created",
        "loa.signed",
        "porting_order.status_changed",
      ]);
    });
  });

  it("are stored as a PATCH of each would store them", async () => {
    const made = await create({ phone_numbers: [api.product.newNumber()], requirements: VALUES });
    const [together] = ordersOf(made);
    expect(await read(together?.id ?? "")).toMatchObject({ requirements: together?.requirements });
    const apart = await create({ phone_numbers: [api.product.newNumber()] });
    const [other] = ordersOf(apart);
    for (const [slug, field_value] of Object.entries(VALUES)) {
      await api.call("PATCH", `${ORDERS}/${other?.id ?? ""}/requirements/${slug}`, { field_value });
    }
    expect((await read(other?.id ?? "")).requirements).toEqual(together?.requirements);
    const rows = async (id: string | undefined) => {
      const text = `select slug, status, value, masked_value, sealed_value is not null as is_sealed, check_state, changed
        from orders.requirements where order_id = $1 order by slug`;
      return (await api.database.query<Record<string, unknown>>(text, [id])).rows;
    };
    expect(await rows(together?.id)).toEqual(await rows(other?.id));
  });

  it("are refused with every fault of the request, and nothing is created", async () => {
    const reference = randomUUID();
    const refused = await create({
      phone_numbers: [api.product.newNumber(), "+1212"],
      customer_reference: reference,
      foc_requested: "2020-01-01T10:00:00Z",
      requirements: {
        ...VALUES,
        billing_phone_number: "555",
        invoice: randomUUID(),
        pac_code: "ABC123456",
        loa: { signer_name: "Ada Lovelace", consent: true },
      },
    });
    expect([refused.status, faultsOf(refused)]).toEqual([
      422,
      [
        "#/foc_requested date_out_of_range",
        "#/phone_numbers/1 invalid_number",
        "#/requirements/billing_phone_number invalid_number",
        "#/requirements/invoice unknown_document",
        "#/requirements/pac_code unknown_requirement",
      ],
    ]);
    const unsigned = await create({
      phone_numbers: [api.product.newNumber()],
      customer_reference: reference,
      requirements: { ...VALUES, entity_name: "", loa: { ...SIGNATURE, signer_name: "Ada" } },
    });
    expect([unsigned.status, faultsOf(unsigned)]).toEqual([
      422,
      ["#/requirements/entity_name required", "#/requirements/loa/signer_name signer_mismatch"],
    ]);
    const listed = await api.call("GET", `${ORDERS}?customer_reference=${reference}`);
    expect(dataOf(listed)).toEqual([]);
  });

  it("name what the letter states and is not given, and a document that is too old", async () => {
    const old = await upload(new Date(Date.now() - 200 * 86_400_000));
    const refused = await create({
      phone_numbers: [api.product.newNumber()],
      requirements: { invoice: old, loa: SIGNATURE },
    });
    expect(refused.status).toBe(422);
    const faults = faultsOf(refused);
    expect(faults).toContain("#/requirements/invoice document_too_old");
    expect(faults).toContain("#/requirements/entity_name missing");
    expect(faults).toContain("#/requirements/service_address missing");
    expect(faults.some((one) => one.startsWith("#/requirements/loa"))).toBe(false);
  });

  it("are a value for each number where each has its own", async () => {
    const phone_numbers = [api.product.newNumber("+336"), api.product.newNumber("+336")];
    const code = definitionOf({ country_code: "FR", number_type: "mobile" }, "rio_code")?.value;
    const rioOf = (number: string): string =>
      (code?.format === "code" && code.code.ofNumber?.example(number)) || "";
    const rio_code = Object.fromEntries(phone_numbers.map((number) => [number, rioOf(number)]));
    const [first = "", second = ""] = phone_numbers;
    const wrong = { rio_code: { ...rio_code, [first]: rioOf(second) } };
    const refused = await create({ phone_numbers, requirements: wrong });
    expect([refused.status, faultsOf(refused)]).toEqual([
      422,
      [`#/requirements/rio_code/${first} rio_mismatch`],
    ]);
    const made = await create({ phone_numbers, requirements: { rio_code } });
    const [order] = ordersOf(made);
    const shown = z.array(z.looseObject({ field_value: z.string() }));
    const rio = order?.requirements.find(({ slug }) => slug === "rio_code");
    const values = shown.parse(rio?.["values"]).map(({ field_value }) => field_value);
    expect(values).toEqual(phone_numbers.map(rioOf));
    expect((await read(order?.id ?? "")).requirements).toEqual(order?.requirements);
  });

  it("take effect once under one Idempotency-Key", async () => {
    const body = { phone_numbers: [api.product.newNumber()], requirements: await whole() };
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await create(body, headers);
    const again = await create(body, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const [order] = ordersOf(first);
    const { rows } = await api.database.query(
      "select slug from orders.documents where order_id = $1 order by slug",
      [order?.id],
    );
    expect(rows).toEqual([{ slug: "invoice" }, { slug: "loa" }]);
  });
});

describe("a document that belongs to no order yet", () => {
  it("is copied into each order that is given it, and stays the account's own", async () => {
    const id = await upload();
    const bodies = [1, 2].map(() => ({
      phone_numbers: [api.product.newNumber()],
      requirements: { invoice: id },
    }));
    const made = await Promise.all(bodies.map((body) => create(body)));
    const copies = made.map((answer) => valueOf(ordersOf(answer)[0], "invoice") ?? "");
    expect(new Set([id, ...copies]).size).toBe(3);
    const { rows } = await api.database.query<{ sha256: string }>(
      "select distinct sha256 from orders.documents where id = any ($1)",
      [[id, ...copies]],
    );
    expect(rows).toHaveLength(1);
    await eventually(async () => {
      for (const answer of made) {
        const order = await read(ordersOf(answer)[0]?.id ?? "");
        const invoice = order.requirements.find(({ slug }) => slug === "invoice");
        expect(invoice?.["check_state"]).toBe("passed");
      }
    });
  });
});

describe("PATCH of an order with requirements", () => {
  it("changes all of it, or nothing", async () => {
    const [order] = ordersOf(await create({ phone_numbers: [api.product.newNumber()] }));
    const path = `${ORDERS}/${order?.id ?? ""}`;
    const refused = await api.call("PATCH", path, {
      customer_reference: "changed",
      remove_phone_numbers: ["+12125550000"],
      requirements: { ...VALUES, service_address: "nowhere", pac_code: "ABC123456" },
    });
    expect([refused.status, faultsOf(refused)]).toEqual([
      422,
      [
        "#/remove_phone_numbers/0 unknown_number",
        "#/requirements/pac_code unknown_requirement",
        "#/requirements/service_address invalid_address",
      ],
    ]);
    const untouched = await read(order?.id ?? "");
    expect(untouched.customer_reference).toBe("");
    expect(valueOf(untouched, "entity_name")).toBeNull();
    const changed = await api.call("PATCH", path, {
      customer_reference: "changed",
      requirements: await whole(),
    });
    expect([changed.status, faultsOf(changed)]).toEqual([200, []]);
    expect(changed.body?.["customer_reference"]).toBe("changed");
    expect((await api.call("POST", `${path}/submit`, {})).status).toBe(200);
    const late = await api.call("PATCH", path, { requirements: VALUES });
    expect([late.status, late.body?.["code"]]).toEqual([409, "invalid_state"]);
  });
});

describe("creation with skip_invalid", () => {
  it("orders the other numbers and says what was wrong with each", async () => {
    const taken = api.product.newNumber();
    await create({ phone_numbers: [taken] });
    const fine = api.product.newNumber();
    const made = await create({
      phone_numbers: ["+1212", taken, fine, fine],
      skip_invalid: true,
    });
    expect(made.status).toBe(201);
    expect(dataOf(made).map(({ phone_numbers }) => phone_numbers)).toEqual([[fine]]);
    const skipped = z
      .array(z.object({ phone_number: z.string(), code: z.string(), detail: z.string() }))
      .parse(made.body?.["skipped"])
      .map(({ phone_number, code }) => [phone_number, code]);
    expect(skipped).toEqual([
      ["+1212", "invalid_number"],
      [taken, "number_in_active_order"],
      [fine, "duplicate_number"],
    ]);
    const none = await create({ phone_numbers: ["+1212"], skip_invalid: true });
    expect([none.status, faultsOf(none)]).toEqual([422, ["#/phone_numbers/0 invalid_number"]]);
  });
});

describe("commands on the orders of a batch", () => {
  const results = z.array(
    z.object({
      order_id: z.string(),
      ok: z.boolean(),
      error: z.looseObject({ code: z.string(), errors: z.array(z.looseObject({})) }).nullable(),
    }),
  );

  const batch = async (id: unknown, command: string, body: Record<string, unknown> = {}) => {
    const answer = await api.call("POST", `/v2/porting_batches/${String(id)}/${command}`, body);
    expect(answer.status).toBe(200);
    return results.parse(answer.body?.["data"]);
  };

  it("take effect where they can, and tell of each order why not", async () => {
    const made = await create({
      phone_numbers: [api.product.newNumber(), api.product.newNumber("+4420")],
    });
    const { batch_id } = made.body ?? {};
    const given = await whole();
    const fulfilled = await batch(batch_id, "requirements", { requirements: given });
    expect(fulfilled.map(({ ok }) => ok)).toEqual([true, false]);
    const errors = fulfilled[1]?.error?.errors ?? [];
    expect(errors).toContainEqual(
      expect.objectContaining({ pointer: "#/requirements/service_address" }),
    );
    const submitted = await batch(batch_id, "submit");
    expect(submitted.map(({ ok, error }) => [ok, error?.code])).toEqual([
      [true, undefined],
      [false, "not_ready"],
    ]);
    const cancelled = await batch(batch_id, "cancel", { reason: "Ordered by mistake." });
    expect(cancelled.map(({ ok }) => ok)).toEqual([true, true]);
    expect((await batch(batch_id, "cancel")).map(({ error }) => error?.code)).toEqual([
      "invalid_state",
      "invalid_state",
    ]);
    const unknown = await api.call("POST", `/v2/porting_batches/${randomUUID()}/submit`, {});
    expect(unknown.status).toBe(404);
  });
});
