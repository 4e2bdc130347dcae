import { beforeAll, describe, expect, it } from "@jest/globals";
import { DateTime } from "luxon";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf, textOf, type Answer } from "../../support/http/call.ts";

const ORDERS = "/v2/porting_orders";
const PIN = "pin-canary-4711";
const ACCOUNT_NUMBER = "ACCT-canary-998877";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

function numbers(count = 1): string[] {
  return Array.from({ length: count }, () => api.product.newNumber());
}

async function newOrder(count = 1): Promise<string> {
  const answer = await api.call("POST", ORDERS, { phone_numbers: numbers(count) });
  expect(answer.status).toBe(201);
  return z.string().parse(dataOf(answer)[0]?.["id"]);
}

const fieldOf = (id: string, slug: string): string => `${ORDERS}/${id}/requirements/${slug}`;

async function requirementOf(id: string, slug: string): Promise<Record<string, unknown>> {
  const { body } = await api.call("GET", `${ORDERS}/${id}`);
  const all = z.array(z.record(z.string(), z.unknown())).parse(body?.["requirements"]);
  return all.find((one) => one["slug"] === slug) ?? {};
}

function faultCodes(answer: Answer): unknown[] {
  return z
    .array(z.object({ code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map((fault) => fault.code);
}

describe("the requirements of an order", () => {
  it("exist from its creation, as GET /v2/porting_requirements shows beforehand", async () => {
    const listed = dataOf(
      await api.call("GET", "/v2/porting_requirements?country_code=US&number_type=local"),
    );
    const made = await api.call("POST", ORDERS, { phone_numbers: numbers() });
    const [order = {}] = dataOf(made);
    const asked = z.array(z.record(z.string(), z.unknown())).parse(order["requirements"]);
    expect(asked.map((one) => one["slug"])).toEqual(listed.map((one) => one["slug"]));
    expect(order["requirements_status"]).toBe(false);
    for (const [n, one] of asked.entries()) {
      expect(one).toMatchObject({ ...listed[n], status: "requirement-info-pending" });
      expect(one).toMatchObject({ field_value: null, document_date: null });
      expect(one).not.toHaveProperty("exception_reason");
    }
    const read = await api.call("GET", `${ORDERS}/${String(order["id"])}`);
    expect(read.body?.["requirements"]).toEqual(order["requirements"]);
  });

  it("are refused for a kind that cannot be ported", async () => {
    const answer = await api.call(
      "GET",
      "/v2/porting_requirements?country_code=BR&number_type=local",
    );
    expect([answer.status, answer.body?.["code"]]).toEqual([400, "invalid_parameter"]);
    expect(faultCodes(answer)).toEqual(["country_not_supported"]);
  });

  it("accept a value, store it, and show the missing ones", async () => {
    const id = await newOrder();
    const patched = await api.call("PATCH", fieldOf(id, "entity_name"), {
      field_value: " Acme LLC ",
    });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ slug: "entity_name", field_value: "Acme LLC" });
    expect(await requirementOf(id, "entity_name")).toEqual(patched.body);
    const readiness = await api.call("GET", `${ORDERS}/${id}/readiness`);
    const blocking = z
      .array(z.object({ slug: z.string(), code: z.string() }))
      .parse(readiness.body?.["blocking"]);
    expect(readiness.body?.["ready"]).toBe(false);
    expect(blocking.every(({ code }) => code === "missing")).toBe(true);
    expect(blocking.map(({ slug }) => slug)).toEqual([
      "loa",
      "invoice",
      "auth_person_name",
      "service_address",
      "account_number",
      "billing_phone_number",
    ]);
    const submit = await api.call("POST", `${ORDERS}/${id}/submit`);
    expect([submit.status, submit.body?.["code"]]).toEqual([409, "not_ready"]);
    expect(faultCodes(submit)).toHaveLength(6);
  });

  it("seal sensitive values: no answer and no table has them in clear text", async () => {
    const id = await newOrder();
    await api.call("PATCH", fieldOf(id, "pin_passcode"), { field_value: PIN });
    const account = await api.call("PATCH", fieldOf(id, "account_number"), {
      field_value: ACCOUNT_NUMBER,
    });
    expect(account.body?.["field_value"]).toBe("****8877");
    expect((await requirementOf(id, "pin_passcode"))["field_value"]).toBe("****");
    const { rows } = await api.database.query<{ dump: string }>(
      `select (select json_agg(r) from orders.requirements r where order_id = $1)::text
        || (select json_agg(t) from orders.timeline t where order_id = $1)::text
        || (select string_agg(encode(value, 'escape'), '') from messaging.outbox
          where key = convert_to($1::text, 'UTF8')) as dump`,
      [id],
    );
    expect(rows[0]?.dump).toContain("pin_passcode");
    expect(rows[0]?.dump).not.toContain("canary");
  });

  it.each([
    ["entity_name", { field_value: "" }, [422, "required"]],
    ["entity_name", { field_value: 7 }, [422, "invalid_type"]],
    ["entity_name", {}, [422, "required"]],
    ["entity_name", { field_value: "x", status: "approved" }, [422, "unknown_property"]],
    ["billing_phone_number", { field_value: "911" }, [422, "invalid_number"]],
    ["port_type", { field_value: "half" }, [422, "invalid_choice"]],
    ["invoice", { field_value: "01890000-0000-7000-8000-000000000000" }, [415]],
    ["no_such_field", { field_value: "x" }, [404]],
  ])("refuse for %s the body %j with %j", async (slug, body, refusal) => {
    const id = await newOrder();
    const before = (await api.call("GET", `${ORDERS}/${id}`)).body;
    const answer = await api.call("PATCH", fieldOf(id, slug), body);
    expect([answer.status, ...faultCodes(answer)]).toEqual(refusal);
    expect((await api.call("GET", `${ORDERS}/${id}`)).body).toEqual(before);
  });

  it("can be emptied when they are optional", async () => {
    const id = await newOrder();
    await api.call("PATCH", fieldOf(id, "port_type"), { field_value: "full" });
    expect((await api.call("DELETE", fieldOf(id, "port_type"))).status).toBe(204);
    expect((await requirementOf(id, "port_type"))["field_value"]).toBeNull();
    const refused = await api.call("DELETE", fieldOf(id, "entity_name"));
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "invalid_state"]);
  });
});

/** The fields of an order (docs/contract/customer-api.md, Porting orders); the first twelve are the snapshot's. */
const FIELDS = [
  ...["id", "batch_id", "status", "closed_by", "provider_status", "country_code", "number_type"],
  ...["customer_reference", "requirements_status", "foc_requested", "foc_actual", "phone_numbers"],
  ...["webhook_url", "losing_carrier", "closed_reason", "next_action", "pending_change_id"],
  ...["created_at", "updated_at", "submitted_at", "closed_at"],
];
/** What lists leave out. */
const PARTS = ["requirements", "numbers", "exceptions", "number_configuration"];

describe("an order", () => {
  const namesOf = (order: unknown): string[] =>
    Object.keys(z.record(z.string(), z.unknown()).parse(order)).sort();

  it("has exactly the contract's fields, and in lists numbers_count for its three parts", async () => {
    const made = await api.call("POST", ORDERS, { phone_numbers: numbers(2) });
    const [order = {}] = dataOf(made);
    expect(namesOf(order)).toEqual([...FIELDS, ...PARTS].sort());
    expect(order).toMatchObject({ provider_status: "", customer_reference: "", closed_by: null });
    const path = `${ORDERS}?batch_id=${String(order["batch_id"])}`;
    const [listed] = dataOf(await api.call("GET", path));
    expect(namesOf(listed)).toEqual([...FIELDS, "numbers_count"].sort());
    expect(listed?.["numbers_count"]).toBe(2);
  });

  it("has requirements, comments and a timeline with exactly the contract's fields", async () => {
    const id = await newOrder();
    const path = `${ORDERS}/${id}`;
    const comment = await api.call("POST", `${path}/comments`, { body: "Tomorrow." });
    expect(namesOf(comment.body)).toEqual(["author_type", "body", "created_at", "id"]);
    expect(dataOf(await api.call("GET", `${path}/comments`))).toEqual([comment.body]);
    const fields = ["slug", "name", "field_type", "mandatory", "status", "field_value"];
    const texts = ["scope", "description", "example", "acceptance_criteria"];
    const ours = [...texts, "document_date", "check_state"];
    const { body } = await api.call("GET", path);
    for (const one of z.array(z.unknown()).parse(body?.["requirements"])) {
      expect(namesOf(one)).toEqual([...fields, ...ours].sort());
    }
    const timeline = dataOf(await api.call("GET", `${path}/timeline`));
    expect(timeline).toHaveLength(2);
    for (const entry of timeline) {
      expect(namesOf(entry)).toEqual(["actor", "at", "data", "id", "kind"]);
      expect(namesOf(entry["actor"])).toEqual(["id", "name", "type"]);
    }
  });

  it("takes comments of 1 to 4,000 characters", async () => {
    const path = `${ORDERS}/${await newOrder()}/comments`;
    const statusOf = async (length: number) =>
      (await api.call("POST", path, { body: "x".repeat(length) })).status;
    expect([await statusOf(0), await statusOf(4_000), await statusOf(4_001)]).toEqual([
      422, 201, 422,
    ]);
  });

  it("keeps the offset of the requested date", async () => {
    const [, second] = await windowsOf(await newOrderId());
    const foc_requested = DateTime.fromISO(second?.opens_at ?? "", { zone: "UTC+5:30" }).toISO();
    const body = { phone_numbers: numbers(), foc_requested };
    const [order = {}] = dataOf(await api.call("POST", ORDERS, body));
    expect(order["foc_requested"]).toBe(foc_requested);
    const path = `${ORDERS}/${String(order["id"])}`;
    expect((await api.call("GET", path)).body?.["foc_requested"]).toBe(foc_requested);
    const other = DateTime.fromISO(foc_requested ?? "", { zone: "UTC-8" }).toISO();
    const patched = await api.call("PATCH", path, { foc_requested: other });
    expect(patched.body?.["foc_requested"]).toBe(other);
  });
});

const windows = z.object({
  data: z.array(z.object({ opens_at: z.string(), closes_at: z.string() })),
  has_more: z.literal(false),
});

async function windowsOf(orderId: string, query = "") {
  const answer = await api.call("GET", `${ORDERS}/${orderId}/allowed_foc_windows${query}`);
  return windows.parse(answer.body).data;
}

async function newOrderId(): Promise<string> {
  const made = await api.call("POST", ORDERS, { phone_numbers: numbers() });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

describe("when an order's numbers can be moved", () => {
  it("is listed, and a date between two windows is refused with the next three", async () => {
    const id = await newOrderId();
    const [first, second, third, ...others] = await windowsOf(id);
    expect(others.length).toBeGreaterThan(10);
    const between = DateTime.fromISO(first?.closes_at ?? "", { setZone: true }).plus({ hours: 1 });
    const asked = { foc_requested: between.toISO() };
    const openings = [second, third, others[0]].map((one) => one?.opens_at);
    for (const answer of [
      await api.call("PATCH", `${ORDERS}/${id}`, asked),
      await api.call("POST", ORDERS, { phone_numbers: numbers(), ...asked }),
    ]) {
      expect([answer.status, faultCodes(answer)]).toEqual([422, ["foc_not_possible"]]);
      expect(JSON.stringify(answer.body)).toContain(`possible times: ${openings.join(", ")}.`);
    }
    const kept = await api.call("PATCH", `${ORDERS}/${id}`, { foc_requested: third?.closes_at });
    expect(kept.body).toMatchObject({ foc_requested: third?.closes_at });
  });

  it("depends on what was given: a date is refused once it is not possible any more", async () => {
    const german = (): string[] => [api.product.newNumber("+4930")];
    const [checked] = dataOf(
      await api.call("POST", "/v2/portability_checks", { phone_numbers: german() }),
    );
    const made = await api.call("POST", ORDERS, { phone_numbers: german() });
    const path = `${ORDERS}/${String(dataOf(made)[0]?.["id"])}`;
    const id = path.split("/").at(-1) ?? "";
    const [late] = await windowsOf(id);
    expect(late?.opens_at).toBe(checked?.["earliest_foc"]);
    const giving = (contract_status: string) => ({ requirements: { contract_status } });
    await api.call("PATCH", path, giving("ended"));
    const [early] = await windowsOf(id);
    const asked = { foc_requested: early?.opens_at };
    expect(Date.parse(early?.opens_at ?? "")).toBeLessThan(Date.parse(late?.opens_at ?? ""));
    const again = await api.call("PATCH", path, { ...asked, ...giving("ended") });
    expect(again.body).toMatchObject(asked);
    for (const refused of [
      await api.call("PATCH", path, { ...asked, ...giving("running") }),
      await api.call("POST", ORDERS, { phone_numbers: german(), ...asked, ...giving("running") }),
    ]) {
      expect([refused.status, faultCodes(refused)]).toEqual([422, ["foc_not_possible"]]);
      expect(JSON.stringify(refused.body)).toContain(`possible times: ${late?.opens_at ?? ""}, `);
    }
    const other = { phone_numbers: german(), ...asked, ...giving("ended") };
    expect((await api.call("POST", ORDERS, other)).status).toBe(201);
    expect((await api.call("PATCH", path, giving("running"))).status).toBe(200);
    const { body } = await api.call("GET", `${path}/readiness`);
    expect(body?.["blocking"]).toContainEqual({
      slug: "foc_requested",
      code: "foc_not_possible",
      detail: expect.stringContaining(`possible times: ${late?.opens_at ?? ""}, `),
    });
    const submitted = await api.call("POST", `${path}/submit`);
    expect([submitted.status, faultCodes(submitted)]).toEqual([
      409,
      expect.arrayContaining(["foc_not_possible", "missing"]),
    ]);
  });

  it("is listed for a span of up to 31 days", async () => {
    const id = await newOrderId();
    const [, second] = await windowsOf(id);
    const { opens_at: from = "", closes_at: until = "" } = second ?? {};
    const span = new URLSearchParams({ from, until }).toString();
    expect(await windowsOf(id, `?${span}`)).toEqual([second]);
    expect(await windowsOf(id, "?from=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z")).toEqual(
      [],
    );
  });
});

describe("GET /v2/porting_exceptions", () => {
  it("lists every canonical code, with the requirement and who can resolve it", async () => {
    const listed = await api.call("GET", "/v2/porting_exceptions");
    expect(listed.body?.["has_more"]).toBe(false);
    expect(dataOf(listed)).toHaveLength(39);
    expect(dataOf(listed)).toContainEqual({
      code: "pin_invalid",
      title: expect.any(String),
      detail: expect.any(String),
      slug: "pin_passcode",
      owner: "customer",
    });
    const noSlug = dataOf(listed).find((one) => one["code"] === "other");
    expect(noSlug).toMatchObject({ slug: null, owner: "customer" });
  });
});

describe("PATCH of a draft", () => {
  it("changes the requested date and removes numbers, which are available again", async () => {
    const [kept = "", dropped = ""] = numbers(2);
    const made = await api.call("POST", ORDERS, { phone_numbers: [kept, dropped] });
    const id = z.string().parse(dataOf(made)[0]?.["id"]);
    const [, window] = await windowsOf(id);
    const wished = window?.opens_at;
    const patched = await api.call("PATCH", `${ORDERS}/${id}`, {
      foc_requested: wished,
      remove_phone_numbers: [dropped],
    });
    expect(patched.body).toMatchObject({ foc_requested: wished, phone_numbers: [kept] });
    expect((await api.call("GET", `${ORDERS}/${id}`)).body).toEqual(patched.body);
    expect((await api.call("POST", ORDERS, { phone_numbers: [dropped] })).status).toBe(201);
    expect((await api.call("POST", ORDERS, { phone_numbers: [kept] })).status).toBe(409);
  });

  it("refuses to remove numbers that are not the order's, or its last one", async () => {
    const made = await api.call("POST", ORDERS, { phone_numbers: numbers(2) });
    const [order = {}] = dataOf(made);
    const [first, second] = z.array(z.string()).parse(order["phone_numbers"]);
    const path = `${ORDERS}/${String(order["id"])}`;
    const remove = (phones: unknown[]) => api.call("PATCH", path, { remove_phone_numbers: phones });
    const unknown = await remove([first, "+12125559999"]);
    expect([unknown.status, faultCodes(unknown)]).toEqual([422, ["unknown_number"]]);
    expect(faultCodes(await remove([first, first]))).toEqual(["duplicate_number"]);
    expect(faultCodes(await remove([first, second]))).toEqual(["last_number"]);
    const both = { remove_phone_numbers: ["+12125559999"], webhook_url: "ftp://example.com" };
    expect(faultCodes(await api.call("PATCH", path, both))).toEqual([
      "not_https",
      "unknown_number",
    ]);
    const misfit = { customer_reference: 7, webhook_url: "ftp://example.com" };
    expect(faultCodes(await api.call("PATCH", path, misfit))).toEqual([
      "invalid_type",
      "not_https",
    ]);
    const after = await api.call("GET", path);
    expect(after.body?.["phone_numbers"]).toEqual([first, second]);
    expect(textOf(after, "updated_at")).toBe(order["updated_at"]);
  });
});
