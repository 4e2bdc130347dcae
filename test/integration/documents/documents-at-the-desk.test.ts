/** @tier all */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import PDFKit from "pdfkit";
import { z } from "zod";
import { ANSWERS, startFakeClamd, type FakeClamd } from "../../support/documents/clamd.ts";
import { buildPdf, buildPng } from "../../support/documents/document-factory.ts";
import { uploadToOrder } from "../../support/documents/upload-to-order.ts";
import { eventually } from "../../support/eventually.ts";
import {
  openReviewDesk,
  type Operator,
  type OwnReviewDesk,
} from "../../support/orders/review-desk.ts";

const TIMEOUT_MS = 300;

const fields = z.array(
  z.looseObject({ slug: z.string(), checks: z.array(z.record(z.string(), z.unknown())) }),
);

let desk: OwnReviewDesk;
let clamd: FakeClamd;

beforeAll(async () => {
  clamd = await startFakeClamd(ANSWERS.clean);
  desk = await openReviewDesk({ CLAMD_URL: clamd.url, CLAMD_TIMEOUT: `${TIMEOUT_MS}ms` });
});

/** An order with an invoice that was really uploaded, and checked. */
async function orderWithInvoice(): Promise<string> {
  const orderId = await desk.newReadyOrder();
  await uploadToOrder(desk.product, { orderId, content: await buildPdf() });
  return orderId;
}

async function readiness(orderId: string): Promise<unknown> {
  const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}/readiness`);
  return body?.["blocking"];
}

async function isReady(orderId: string): Promise<void> {
  await eventually(async () => expect(await readiness(orderId)).toEqual([]));
}

/** What the case says of the invoice's scan. */
async function scanOf(orderId: string): Promise<unknown> {
  const { body } = await desk.desk("GET", `/reviews/${orderId}`);
  const invoice = fields.parse(body?.["requirements"]).find(({ slug }) => slug === "invoice");
  return invoice?.checks.find((one) => one["check"] === "scan");
}

async function approve(orderId: string): Promise<unknown[]> {
  const decisions = [{ slug: "invoice", decision: "approve" }];
  const answer = await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions });
  const faults = z.array(z.looseObject({ code: z.string() })).parse(answer.body?.["errors"] ?? []);
  return [answer.status, ...faults.map(({ code }) => code)];
}

describe("a document that is scanned for viruses", () => {
  it("passes where the scanner finds nothing, and can be approved", async () => {
    clamd.answer = ANSWERS.clean;
    const orderId = await orderWithInvoice();
    await isReady(orderId);
    await desk.submit(orderId);
    expect(await scanOf(orderId)).toEqual({
      check: "scan",
      state: "passed",
      code: null,
      detail: null,
    });
    expect(await approve(orderId)).toEqual([202]);
  });

  it("fails with a neutral reason where the scanner finds something", async () => {
    clamd.answer = ANSWERS.infected;
    const orderId = await orderWithInvoice();
    await eventually(async () =>
      expect(await readiness(orderId)).toEqual([
        { slug: "invoice", code: "check_failed", detail: expect.stringContaining("harmful") },
      ]),
    );
    expect(JSON.stringify(await readiness(orderId))).not.toContain("Some.Virus");
  });

  it.each(["silence", "garbage", "hangUp"] as const)(
    "is submitted but not approved while the scanner answers with %s, over a restart",
    async (name) => {
      clamd.answer = ANSWERS[name];
      const orderId = await orderWithInvoice();
      await isReady(orderId);
      await desk.submit(orderId);
      expect(await scanOf(orderId)).toMatchObject({
        state: "checking",
        code: "document_not_scanned",
      });
      expect(await approve(orderId)).toEqual([422, "document_not_scanned"]);
      desk.product.supervisor.service("requirement-review").program.kill("SIGKILL");
      clamd.answer = ANSWERS.clean;
      await eventually(async () => expect(await approve(orderId)).toEqual([202]));
      expect(await scanOf(orderId)).toMatchObject({ state: "passed" });
    },
  );

  it("fails late, where the scanner was away before", async () => {
    clamd.answer = ANSWERS.hangUp;
    const orderId = await orderWithInvoice();
    await isReady(orderId);
    await desk.submit(orderId);
    clamd.answer = ANSWERS.infected;
    await eventually(async () =>
      expect(await scanOf(orderId)).toEqual({
        check: "scan",
        state: "failed",
        code: "document_infected",
        detail: "The virus scanner found Some.Virus. Reject the field.",
      }),
    );
    expect(await approve(orderId)).toEqual([422, "document_infected"]);
  });
});

const match = z.object({
  what: z.string(),
  value: z.string(),
  found: z.boolean().nullable(),
  page: z.int().nullable(),
});
const requirements = z.array(
  z.looseObject({
    slug: z.string(),
    field_value: z.string().nullable(),
    checks: z.array(z.record(z.string(), z.unknown())),
    matches: z.array(match),
  }),
);
type Match = z.infer<typeof match>;

async function print(...pages: string[]): Promise<Buffer> {
  const pdf = new PDFKit();
  pages.forEach((text, n) => (n === 0 ? pdf : pdf.addPage()).text(text));
  pdf.end();
  return Buffer.concat((await pdf.toArray()) as Buffer[]);
}

/** An order's requirements by slug, as an operator sees them once its documents are read. */
async function seenBy(operator: Operator, orderId: string) {
  return eventually(async () => {
    const { body } = await operator.desk("GET", `/reviews/${orderId}`);
    const seen = new Map(requirements.parse(body?.["requirements"]).map((one) => [one.slug, one]));
    if (seen.get("invoice")?.matches.length === 0) throw new Error("it is not read yet");
    return seen;
  });
}

type Values = ReadonlyMap<string, string>;

/** Signs the order's letter and removes its file: what it states is not looked for there. */
async function signLetter(orderId: string, values: Values): Promise<void> {
  const body = { signer_name: values.get("auth_person_name"), consent: true };
  const signed = await desk.api("POST", `/v2/porting_orders/${orderId}/loa/sign`, body);
  const id = z.string().parse(signed.body?.["document_id"]);
  const files = readdirSync(desk.documentsDir, { recursive: true, encoding: "utf8" });
  const file = files.find((name) => basename(name).startsWith(id));
  rmSync(join(desk.documentsDir, z.string().parse(file)));
}

async function submitWith(
  content: (values: Values) => Promise<Buffer>,
  prepare: (orderId: string, values: Values) => Promise<void> = () => Promise.resolve(),
) {
  const orderId = await desk.newReadyOrder();
  const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
  const given = requirements.element
    .pick({ slug: true, field_value: true })
    .array()
    .parse(body?.["requirements"]);
  const values = new Map(given.map((one) => [one.slug, one.field_value ?? ""]));
  const [number = ""] = z.array(z.string()).parse(body?.["phone_numbers"]);
  values.set("phone_number", number);
  await uploadToOrder(desk.product, { orderId, content: await content(values) });
  await prepare(orderId, values);
  await eventually(async () => {
    const ready = await desk.api("GET", `/v2/porting_orders/${orderId}/readiness`);
    expect(ready.body?.["ready"]).toBe(true);
  });
  await desk.submit(orderId);
  return { orderId, values };
}

const ACCOUNT = "8772-114-90210";
const byWhat = (matches: readonly Match[] = []) =>
  Object.fromEntries(matches.map(({ what, found, page }) => [what, [found, page]]));

describe("the matches of a case", () => {
  beforeAll(() => {
    clamd.answer = ANSWERS.clean;
  });

  it("report which of the order's values a document contains, and where", async () => {
    const { orderId, values } = await submitWith((given) =>
      print(
        `Bill of ${given.get("entity_name")?.toUpperCase() ?? ""}`,
        `Line ${(given.get("phone_number") ?? "").replace("+1212", "(212) ")}, account 8772 114 90210`,
      ),
    );
    const invoice = (await seenBy(desk, orderId)).get("invoice");
    expect(byWhat(invoice?.matches)).toEqual({
      phone_number: [true, 2],
      entity_name: [true, 1],
      service_address: [false, null],
      account_number: [true, 2],
    });
    expect(invoice?.matches.map(({ value }) => value)).toEqual([
      values.get("phone_number"),
      values.get("entity_name"),
      values.get("service_address"),
      ACCOUNT,
    ]);
    expect(invoice?.checks).toContainEqual({
      check: "pages",
      state: "passed",
      code: null,
      detail: "2 pages",
    });
  });

  it("report what a letter that was signed here states, without opening it", async () => {
    const { orderId } = await submitWith(() => print("Dear reader"), signLetter);
    const loa = (await seenBy(desk, orderId)).get("loa");
    expect(byWhat(loa?.matches)).toEqual({
      phone_number: [true, 1],
      entity_name: [true, 1],
      service_address: [true, 1],
      account_number: [true, 1],
      signer: [true, 1],
    });
    expect(loa?.checks).toContainEqual(expect.objectContaining({ detail: "1 page" }));
  });

  it("show a viewer the account number masked, and keep no text and no such value", async () => {
    const { orderId } = await submitWith(() => print(`account ${ACCOUNT}`));
    const viewer = await desk.addOperator("Vera Vale", "viewer");
    const invoice = (await seenBy(viewer, orderId)).get("invoice");
    const account = invoice?.matches.find(({ what }) => what === "account_number");
    expect(account).toEqual({ what: "account_number", value: "****0210", found: true, page: 1 });
    const { rows } = await desk.database.query<{ row: string }>(
      "select r::text as row from reviews.document_readings r where order_id = $1",
      [orderId],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/90210|account 8772/);
  });

  it("say nothing of a picture, and of a process that was killed nothing is lost", async () => {
    desk.product.supervisor.service("requirement-review").program.kill("SIGKILL");
    const { orderId } = await submitWith(() => Promise.resolve(buildPng()));
    const invoice = (await seenBy(desk, orderId)).get("invoice");
    expect(invoice?.matches.map(({ found }) => found)).toEqual([null, null, null, null]);
    expect(invoice?.checks).toContainEqual(expect.objectContaining({ detail: "1 page" }));
  });
});
