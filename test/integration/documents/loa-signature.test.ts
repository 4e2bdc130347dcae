import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { uploadDocument } from "../../support/orders/fulfil-order.ts";
import { textOfPdf } from "../../support/documents/pdf-text.ts";
import { buildPng, drawnSignature } from "../../support/documents/png-factory.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const ORDERS = "/v2/porting_orders";
const SIGN = { signer_name: "Grace O’Hopper", signer_title: "Director", consent: true };
const ANOTHER_ACCOUNT_ID = "01890000-0000-7000-8000-000000000000";

const VALUES = {
  entity_name: "Łódź Dental & Söhne LLC",
  auth_person_name: "Grace O’Hopper",
  service_address: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
  account_number: "8772-canary-90210",
  billing_phone_number: "+12125551234",
};

let documents: string;
let api: TestApi;
let nextNumber = 100;

beforeAll(async () => {
  documents = temporaryFolder("letters");
  const env = { LOA_CARRIER_NAME: "New Carrier Inc.", DOCUMENTS_DIR: documents };
  api = await startTestApi({ env });
});

const numbers = (count: number): string[] =>
  Array.from({ length: count }, () => `+1212555${String((nextNumber += 1)).padStart(4, "0")}`);

async function newOrder(values: Partial<typeof VALUES> = VALUES, count = 1): Promise<string> {
  const made = await api.call("POST", ORDERS, { phone_numbers: numbers(count) });
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  for (const [slug, value] of Object.entries(values)) await fill(id, slug, value);
  return id;
}

async function fill(id: string, slug: string, value: string): Promise<void> {
  const path = `${ORDERS}/${id}/requirements/${slug}`;
  expect((await api.call("PATCH", path, { field_value: value })).status).toBe(200);
}

const sign = (id: string, body: unknown = SIGN): Promise<Answer> =>
  api.call("POST", `${ORDERS}/${id}/loa/sign`, body);

interface File {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function get(path: string): Promise<File> {
  const headers = { Authorization: `Bearer ${api.product.apiKey}` };
  const response = await fetch(api.product.apiUrl + path, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type");
  return { status: response.status, type, headers: response.headers, bytes };
}

const letterOf = (id: string): Promise<File> => get(`${ORDERS}/${id}/loa`);

const textOfLetter = (file: File): string =>
  textOfPdf(file.bytes).join(" ").replaceAll(/\s+/g, " ");

async function loaOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await api.call("GET", `${ORDERS}/${id}`);
  const all = z.array(z.record(z.string(), z.unknown())).parse(body?.["requirements"]);
  return all.find((one) => one["slug"] === "loa") ?? {};
}

function faultsOf(answer: Answer): [string, string][] {
  return z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => [pointer, code]);
}

/** The loa.signed events of an order; only they name the signer. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await api.database.query<{ value: Buffer }>(
    "select value from messaging.outbox where key = convert_to($1, 'utf8') and value is not null",
    [id],
  );
  const texts = rows.map(({ value }) => value.toString("utf8"));
  return texts.filter((text) => text.includes(SIGN.signer_name));
}

async function documentIds(): Promise<string[]> {
  const { rows } = await api.database.query<{ id: string }>("select id from orders.documents");
  return rows.map((row) => row.id).sort();
}

/** The documents' files, without the marks for the sweep. */
async function keptFiles(): Promise<string[]> {
  const entries = await readdir(documents, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return files.filter((name) => !name.endsWith(".kept")).sort();
}

describe("the letter of authorization of an order", () => {
  it("is a preview with the current values until it is signed", async () => {
    const id = await newOrder({ entity_name: VALUES.entity_name });
    const first = await letterOf(id);
    expect([first.status, first.type]).toEqual([200, "application/pdf"]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(textOfLetter(first)).toContain("UNSIGNED PREVIEW");
    expect(textOfLetter(first)).toContain(VALUES.entity_name);
    expect(textOfLetter(first)).toContain("not provided yet");
    await fill(id, "entity_name", "Acme LLC");
    await fill(id, "account_number", VALUES.account_number);
    const second = textOfLetter(await letterOf(id));
    expect(second).toContain("Acme LLC");
    expect(second).toContain("****0210");
    expect(second).not.toContain("canary");
    expect((await loaOf(id))["field_value"]).toBeNull();
  });

  it("is signed with the order's values, stored, and published", async () => {
    const id = await newOrder(VALUES, 30);
    const image = drawnSignature().toString("base64");
    const signed = await sign(id, { ...SIGN, signature_image: image });
    expect(signed.status).toBe(201);
    const documentId = textOf(signed, "document_id");
    expect(signed.headers.get("location")).toMatch(new RegExp(`/v2/documents/${documentId}$`));
    expect(Object.keys(signed.body ?? {}).sort()).toEqual(["document_id", "sha256", "signed_at"]);
    expect(await loaOf(id)).toMatchObject({
      status: "requirement-info-pending",
      field_value: documentId,
      document_date: textOf(signed, "signed_at"),
    });
    const letter = await letterOf(id);
    expect(letter.type).toBe("application/pdf");
    expect(createHash("sha256").update(letter.bytes).digest("hex")).toBe(textOf(signed, "sha256"));
    expect((await get(`/v2/documents/${documentId}`)).bytes.equals(letter.bytes)).toBe(true);
    const text = textOfLetter(letter);
    const { body } = await api.call("GET", `${ORDERS}/${id}`);
    const stated = [
      ...Object.values(VALUES),
      ...z.array(z.string()).parse(body?.["phone_numbers"]),
    ];
    for (const value of stated) {
      if (value !== VALUES.account_number) expect(text).toContain(value.replaceAll("\n", ", "));
    }
    expect(text).toContain("New Carrier Inc.");
    expect(text).not.toContain("UNSIGNED");
    expect(text).not.toContain("canary");
    const events = await eventsOf(id);
    expect(events).toHaveLength(1);
    expect(events[0]).toContain(documentId);
    const readiness = await api.call("GET", `${ORDERS}/${id}/readiness`);
    expect(readiness.body?.["blocking"]).toMatchObject([{ slug: "invoice" }]);
  });

  it("stays signed when another field is corrected, and is replaced when it is signed again", async () => {
    const id = await newOrder();
    const first = await sign(id);
    await fill(id, "entity_name", "Acme Dental Inc.");
    expect((await loaOf(id))["field_value"]).toBe(first.body?.["document_id"]);
    const second = await sign(id);
    expect((await loaOf(id))["field_value"]).toBe(second.body?.["document_id"]);
    expect(textOfLetter(await letterOf(id))).toContain("Acme Dental Inc.");
    const earlier = await get(`/v2/documents/${textOf(first, "document_id")}`);
    expect(textOfLetter(earlier)).toContain(VALUES.entity_name);
  });

  it("is signed once under one Idempotency-Key", async () => {
    const id = await newOrder();
    const once = () =>
      call(`${api.product.apiUrl}${ORDERS}/${id}/loa/sign`, {
        method: "POST",
        key: api.product.apiKey,
        headers: { "Idempotency-Key": `sign-${id}` },
        body: SIGN,
      });
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it("is the customer's own when one was uploaded, which publishes no loa.signed", async () => {
    const id = await newOrder();
    const content = drawnSignature();
    await uploadDocument(api.product, { orderId: id, slug: "loa", content, fileName: "loa.png" });
    const letter = await letterOf(id);
    expect(letter.type).toBe("image/png");
    expect(letter.bytes.equals(content)).toBe(true);
    const asked = await fetch(`${api.product.apiUrl}/v2/porting_orders/${id}/loa`, {
      headers: { "X-API-Key": api.product.apiKey, Accept: "image/png" },
    });
    expect(asked.status).toBe(200);
    expect(await eventsOf(id)).toEqual([]);
  });

  it("is not signed while a value is missing that it must state", async () => {
    const { entity_name, auth_person_name } = VALUES;
    const id = await newOrder({ entity_name, auth_person_name });
    const refused = await sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "not_ready"]);
    expect(faultsOf(refused)).toEqual([
      ["#/requirements/service_address", "missing"],
      ["#/requirements/account_number", "missing"],
      ["#/requirements/billing_phone_number", "missing"],
    ]);
    expect((await loaOf(id))["field_value"]).toBeNull();
  });

  it("is neither signed nor shown for an unknown or a cancelled order", async () => {
    const foreign = await sign(ANOTHER_ACCOUNT_ID);
    expect([foreign.status, (await letterOf(ANOTHER_ACCOUNT_ID)).status]).toEqual([404, 404]);
    const id = await newOrder();
    await api.call("POST", `${ORDERS}/${id}/cancel`);
    const refused = await sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await letterOf(id)).status).toBe(200);
  });

  const damaged = drawnSignature();
  damaged[damaged.length - 20] = (damaged[damaged.length - 20] ?? 0) ^ 1;
  const blank = buildPng({ width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 255]] });

  it.each<[string, Record<string, unknown>, [string, string][]]>([
    [
      "nothing",
      { signer_name: undefined, consent: undefined },
      [
        ["#/signer_name", "required"],
        ["#/consent", "required"],
      ],
    ],
    ["no consent", { consent: false }, [["#/consent", "invalid_value"]]],
    ["an empty name", { signer_name: " " }, [["#/signer_name", "required"]]],
    ["a long name", { signer_name: "x".repeat(129) }, [["#/signer_name", "too_long"]]],
    ["a name with a line feed", { signer_name: "a\nb" }, [["#/signer_name", "invalid_characters"]]],
    [
      "a title with reversed direction",
      { signer_title: "a\u202eb" },
      [["#/signer_title", "invalid_characters"]],
    ],
    [
      "no base64",
      { signature_image: "data:image/png;base64,AAAA" },
      [["#/signature_image", "invalid_format"]],
    ],
    ["no PNG", { signature_image: "AAAA" }, [["#/signature_image", "invalid_image"]]],
    [
      "a large picture",
      { signature_image: "A".repeat(400_000) },
      [["#/signature_image", "too_long"]],
    ],
    [
      "a damaged picture",
      { signature_image: damaged.toString("base64") },
      [["#/signature_image", "invalid_image"]],
    ],
    [
      "a blank picture",
      { signature_image: blank.toString("base64") },
      [["#/signature_image", "blank_image"]],
    ],
    ["an unknown property", { date: "2026-11-21" }, [["#/date", "unknown_property"]]],
  ])("is not signed with %s, and nothing changes", async (_name, fields, faults) => {
    const id = await newOrder();
    const before = (await api.call("GET", `${ORDERS}/${id}`)).body;
    const refused = await sign(id, { ...SIGN, ...fields });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual(faults);
    expect((await api.call("GET", `${ORDERS}/${id}`)).body).toEqual(before);
  });

  it("is not signed with a name without glyphs, even if it is the authorized person's", async () => {
    const id = await newOrder({ ...VALUES, auth_person_name: "王" });
    const refused = await sign(id, { ...SIGN, signer_name: "王" });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual([["#/signer_name", "invalid_characters"]]);
    expect((await loaOf(id))["field_value"]).toBeNull();
  });

  it("states the order's values, however signatures and corrections race", async () => {
    const id = await newOrder();
    const names = ["First Name LLC", "Second Name LLC", "Third Name LLC"];
    const spellings = [SIGN.signer_name, SIGN.signer_name.toUpperCase(), "grace o’hopper"];
    const signers = spellings.map((name) => sign(id, { ...SIGN, signer_name: name }));
    const [answers] = await Promise.all([
      Promise.all(signers),
      (async () => {
        for (const name of names) await fill(id, "entity_name", name);
      })(),
    ]);
    const ids = answers
      .filter(({ status }) => status === 201)
      .map((one) => textOf(one, "document_id"));
    expect(answers.map(({ status }) => status).every((one) => one === 201 || one === 503)).toBe(
      true,
    );
    const { rows } = await api.database.query<{ id: string }>(
      "select data->>'document_id' as id from orders.timeline where order_id = $1 and kind = 'document' order by id",
      [id],
    );
    expect(rows.map((row) => row.id).sort()).toEqual(ids.sort());
    const final = await loaOf(id);
    expect(ids).toContain(final["field_value"]);
    for (const documentId of ids)
      expect((await get(`/v2/documents/${documentId}`)).status).toBe(200);
  });

  it("is built again when the order changes meanwhile, and leaves no file behind", async () => {
    const id = await newOrder();
    const other = new pg.Client(api.product.databaseUrl);
    await other.connect();
    await other.query("begin");
    await other.query("select from orders.porting_orders where id = $1 for update", [id]);
    const signing = sign(id);
    await eventually(async () => {
      const { rowCount } = await api.database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    });
    await other.query(
      "update orders.requirements set value = 'Changed LLC' where order_id = $1 and slug = 'entity_name'",
      [id],
    );
    await other.query("commit");
    await other.end();
    expect((await signing).status).toBe(201);
    const text = textOfLetter(await letterOf(id));
    expect(text).toContain("Changed LLC");
    expect(text).not.toContain(VALUES.entity_name);
    expect(await keptFiles()).toEqual(await documentIds());
  });
});
