import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { z } from "zod";
import {
  openLetterApi,
  ORDERS,
  SIGN,
  VALUES,
  type LetterApi,
  type LetterFile,
} from "../../support/documents/letter-orders.ts";
import { textOfPdf } from "../../support/documents/pdf-text.ts";
import { buildPng, drawnSignature } from "../../support/documents/png-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { uploadDocument } from "../../support/orders/fulfil-order.ts";

const ANOTHER_ACCOUNT_ID = "01890000-0000-7000-8000-000000000000";

let api: LetterApi;

beforeAll(async () => {
  api = await openLetterApi();
});

const textOfLetter = (file: LetterFile): string =>
  textOfPdf(file.bytes).join(" ").replaceAll(/\s+/g, " ");

/** The loa.signed events of an order; only they name the signer. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await api.database.query<{ value: Buffer }>(
    "select value from messaging.outbox where key = convert_to($1, 'utf8') and value is not null",
    [id],
  );
  const texts = rows.map(({ value }) => value.toString("utf8"));
  return texts.filter((text) => text.includes(SIGN.signer_name));
}

describe("the letter of authorization of an order", () => {
  it("is a preview with the current values until it is signed", async () => {
    const id = await api.newOrder({ entity_name: VALUES.entity_name });
    const first = await api.letterOf(id);
    expect([first.status, first.type]).toEqual([200, "application/pdf"]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(textOfLetter(first)).toContain("UNSIGNED PREVIEW");
    expect(textOfLetter(first)).toContain(VALUES.entity_name);
    expect(textOfLetter(first)).toContain("not provided yet");
    await api.fill(id, "entity_name", "Acme LLC");
    await api.fill(id, "account_number", VALUES.account_number);
    const second = textOfLetter(await api.letterOf(id));
    expect(second).toContain("Acme LLC");
    expect(second).toContain("****0210");
    expect(second).not.toContain("canary");
    expect((await api.loaOf(id))["field_value"]).toBeNull();
  });

  it("is had to be signed by hand, in the language of its country", async () => {
    const made = await api.call("POST", ORDERS, { phone_numbers: ["+49301234567"] });
    const path = `${ORDERS}/${String(dataOf(made)[0]?.["id"])}/loa`;
    const preview = textOfLetter(await api.file(`${path}?language=en`));
    expect(preview).toContain("NICHT UNTERSCHRIEBEN");
    const letter = textOfLetter(await api.file(`${path}?by_hand=true`));
    expect(letter).toContain("Firmenstempel");
    expect(letter).not.toContain("NICHT UNTERSCHRIEBEN");
    expect((await api.file(`${path}?language=it`)).status).toBe(400);
  });

  it("is signed with the order's values, stored, and published", async () => {
    const id = await api.newOrder(VALUES, 30);
    const image = drawnSignature().toString("base64");
    const signed = await api.sign(id, { ...SIGN, signature_image: image });
    expect(signed.status).toBe(201);
    const documentId = textOf(signed, "document_id");
    expect(signed.headers.get("location")).toMatch(new RegExp(`/v2/documents/${documentId}$`));
    expect(Object.keys(signed.body ?? {}).sort()).toEqual(["document_id", "sha256", "signed_at"]);
    expect(await api.loaOf(id)).toMatchObject({
      status: "requirement-info-pending",
      field_value: documentId,
      document_date: textOf(signed, "signed_at"),
    });
    const letter = await api.letterOf(id);
    expect(letter.type).toBe("application/pdf");
    expect(createHash("sha256").update(letter.bytes).digest("hex")).toBe(textOf(signed, "sha256"));
    expect((await api.file(`/v2/documents/${documentId}`)).bytes.equals(letter.bytes)).toBe(true);
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
    const id = await api.newOrder();
    const first = await api.sign(id);
    await api.fill(id, "entity_name", "Acme Dental Inc.");
    expect((await api.loaOf(id))["field_value"]).toBe(first.body?.["document_id"]);
    const second = await api.sign(id);
    expect((await api.loaOf(id))["field_value"]).toBe(second.body?.["document_id"]);
    expect(textOfLetter(await api.letterOf(id))).toContain("Acme Dental Inc.");
    const earlier = await api.file(`/v2/documents/${textOf(first, "document_id")}`);
    expect(textOfLetter(earlier)).toContain(VALUES.entity_name);
  });

  it("is signed once under one Idempotency-Key", async () => {
    const id = await api.newOrder();
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
    const id = await api.newOrder();
    const content = drawnSignature();
    await uploadDocument(api.product, { orderId: id, slug: "loa", content, fileName: "loa.png" });
    const letter = await api.letterOf(id);
    expect(letter.type).toBe("image/png");
    expect(letter.bytes.equals(content)).toBe(true);
    const asked = await fetch(`${api.product.apiUrl}/v2/porting_orders/${id}/loa`, {
      headers: { "X-API-Key": api.product.apiKey, Accept: "image/png" },
    });
    expect(asked.status).toBe(200);
    expect(await eventsOf(id)).toEqual([]);
  });

  it("states the order's values, however signatures and corrections race", async () => {
    const id = await api.newOrder();
    const names = ["First Name LLC", "Second Name LLC", "Third Name LLC"];
    const spellings = [SIGN.signer_name, SIGN.signer_name.toUpperCase(), "grace o’hopper"];
    const signers = spellings.map((name) => api.sign(id, { ...SIGN, signer_name: name }));
    const [answers] = await Promise.all([
      Promise.all(signers),
      (async () => {
        for (const name of names) await api.fill(id, "entity_name", name);
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
    const final = await api.loaOf(id);
    expect(ids).toContain(final["field_value"]);
    for (const documentId of ids)
      expect((await api.file(`/v2/documents/${documentId}`)).status).toBe(200);
  });

  it("is built again when the order changes meanwhile, and leaves no file behind", async () => {
    const id = await api.newOrder();
    const other = new pg.Client(api.product.databaseUrl);
    await other.connect();
    await other.query("begin");
    await other.query("select from orders.porting_orders where id = $1 for update", [id]);
    const signing = api.sign(id);
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
    const text = textOfLetter(await api.letterOf(id));
    expect(text).toContain("Changed LLC");
    expect(text).not.toContain(VALUES.entity_name);
    expect(await api.keptFiles()).toEqual(await api.documentIds());
  });
});

function faultsOf(answer: Answer): [string, string][] {
  return z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => [pointer, code]);
}

describe("a signature that is refused", () => {
  it("is not signed while a value is missing that it must state", async () => {
    const { entity_name, auth_person_name } = VALUES;
    const id = await api.newOrder({ entity_name, auth_person_name });
    const refused = await api.sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "not_ready"]);
    expect(faultsOf(refused)).toEqual([
      ["#/requirements/service_address", "missing"],
      ["#/requirements/account_number", "missing"],
      ["#/requirements/billing_phone_number", "missing"],
    ]);
    expect((await api.loaOf(id))["field_value"]).toBeNull();
  });

  it("is neither signed nor shown for an unknown or a cancelled order", async () => {
    const foreign = await api.sign(ANOTHER_ACCOUNT_ID);
    expect([foreign.status, (await api.letterOf(ANOTHER_ACCOUNT_ID)).status]).toEqual([404, 404]);
    const id = await api.newOrder();
    await api.call("POST", `${ORDERS}/${id}/cancel`);
    const refused = await api.sign(id);
    expect([refused.status, refused.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await api.letterOf(id)).status).toBe(200);
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
    const id = await api.newOrder();
    const before = (await api.call("GET", `${ORDERS}/${id}`)).body;
    const refused = await api.sign(id, { ...SIGN, ...fields });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual(faults);
    expect((await api.call("GET", `${ORDERS}/${id}`)).body).toEqual(before);
  });

  it("is refused for every fault of the request at once, whatever the order's state", async () => {
    const id = await api.newOrder({ entity_name: VALUES.entity_name, auth_person_name: "Ada" });
    const request = {
      ...SIGN,
      signer_title: "王",
      signature_image: damaged.toString("base64"),
    };
    const faults = [
      ["#/signer_name", "signer_mismatch"],
      ["#/signer_title", "invalid_characters"],
      ["#/signature_image", "invalid_image"],
    ];
    const unready = await api.sign(id, request);
    expect([unready.status, faultsOf(unready)]).toEqual([422, faults]);
    await api.call("POST", `${ORDERS}/${id}/cancel`);
    const ended = await api.sign(id, request);
    expect([ended.status, faultsOf(ended)]).toEqual([422, faults]);
    const title = await api.sign(id, { ...SIGN, signer_name: "Ada", signer_title: "王" });
    expect([title.status, faultsOf(title)]).toEqual([
      422,
      [["#/signer_title", "invalid_characters"]],
    ]);
    const valid = await api.sign(id, { ...SIGN, signer_name: "Ada" });
    expect([valid.status, valid.body?.["code"]]).toEqual([409, "invalid_state"]);
  });

  it("is not signed with a name without glyphs, even if it is the authorized person's", async () => {
    const id = await api.newOrder({ ...VALUES, auth_person_name: "王" });
    const refused = await api.sign(id, { ...SIGN, signer_name: "王" });
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual([["#/signer_name", "invalid_characters"]]);
    expect((await api.loaOf(id))["field_value"]).toBeNull();
    // None of the refusals above left a file behind.
    expect(await api.keptFiles()).toEqual(await api.documentIds());
  });
});
