/** @tier nightly @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";
import {
  openConsoleDesk,
  type ConsoleDesk,
  type ConsoleOperator,
} from "../../support/console/console-desk.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { keyboardOf, type KeyCounter } from "../../support/console/keys.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { drawnSignature } from "../../support/documents/png-factory.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import { fulfilOrder, uploadDocument } from "../../support/orders/fulfil-order.ts";

let desk: ConsoleDesk;
/** Another account, whose order has a number of the last case. */
let other: ConsoleDesk;
let ann: ConsoleOperator;

const OWN_TEXT = "Please send the invoice of this month.";

beforeAll(async () => {
  desk = await openConsoleDesk();
  other = await openConsoleDesk();
  ann = await desk.newOperator("Ann Reed", "reviewer");
  const body = { slug: "invoice", text: OWN_TEXT };
  const url = `${desk.deskUrl}/desk/v1/rejection_texts`;
  expect((await call(url, { method: "POST", key: ann.token, body })).status).toBe(201);
});

const given = z.object({
  phone_numbers: z.array(z.string()),
  requirements: z.array(
    z.looseObject({ field_type: z.string(), example: z.string().nullish(), slug: z.string() }),
  ),
});

/** A case whose invoice has the order's values, on so many pages; `invoice` in its place where it is given. */
async function newCase(
  numbers: number,
  { pages = 1, invoice }: { readonly pages?: number; readonly invoice?: Buffer } = {},
): Promise<string> {
  const phone_numbers = Array.from({ length: numbers }, () => desk.product.newNumber());
  const orderId = await desk.newDraft({ phone_numbers });
  await fulfilOrder(desk, orderId);
  const order = given.parse((await desk.api("GET", `/v2/porting_orders/${orderId}`)).body);
  const values = order.requirements
    .filter(({ field_type: type }) => type !== "document")
    .map(({ example }) => example ?? "");
  const perPage = Math.ceil(numbers / pages);
  const texts = Array.from({ length: pages }, (_, n) =>
    [...order.phone_numbers.slice(n * perPage, (n + 1) * perPage), ...values].join("\n"),
  );
  const fileName = invoice === undefined ? "invoice.pdf" : "invoice.png";
  const content = invoice ?? testPdf(...texts);
  await uploadDocument(desk, { orderId, slug: "invoice", content, fileName });
  await desk.submit(orderId);
  return orderId;
}

/** A case whose invoice says nothing of the order. */
const newDoubtful = (): Promise<string> => desk.newCase();

interface Work {
  readonly page: Page;
  readonly keys: KeyCounter;
}

/** Two frames, which a page takes to be seen. */
const FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;

/** Reads a document to its end: where it has many pages by holding a key down, which is one press. */
async function read({ page, keys }: Work, name = ""): Promise<void> {
  const tab = page.getByRole("tab", { selected: true, name: new RegExp(name) });
  await tab.and(page.getByRole("tab", { name: /shown|\d+\/\d+/ })).waitFor();
  const whole = tab.and(page.getByRole("tab", { name: /shown/ }));
  if ((await whole.count()) > 0) return;
  await keys.press("]");
  while ((await whole.count()) === 0) {
    await page.keyboard.down("]");
    await page.evaluate(FRAMES);
  }
  await page.keyboard.up("]");
}

/** Reads both documents, and approves everything. */
async function approveAll(work: Work): Promise<void> {
  const { page, keys } = work;
  await read(work);
  await keys.press("d");
  await read(work, "Invoice");
  await keys.press("A");
  await page.getByText(/^7 of 7/).waitFor();
}

/** Rejects a field for a reason, by the numbers of both. */
async function reject({ page, keys }: Work, slug: string, reason: string): Promise<void> {
  const digitOf = async (place: string) =>
    (await page.locator(`${place} kbd`).first().textContent()) ?? "";
  await keys.press(await digitOf(`[data-slug="${slug}"]`));
  await page.locator(`[data-slug="${slug}"][aria-current]`).waitFor();
  await keys.press("r");
  const choice = `[role="dialog"] label:has-text("${reason}")`;
  await page.locator(choice).waitFor();
  await keys.press(await digitOf(choice), "Enter");
  await page.locator(`[data-slug="${slug}"]`).getByText("Reject, not sent").waitFor();
}

interface Scenario {
  readonly name: string;
  readonly open: () => Promise<string>;
  readonly decide: (work: Work) => Promise<void>;
  /** Without the one that opens the first case, with the one that sends. */
  readonly keys: number;
  readonly becomes: "submitted" | "rejection";
}

const clean = {
  open: () => newCase(1),
  decide: approveAll,
  keys: 3,
  becomes: "submitted",
} as const;
const rejection = { keys: 5, becomes: "rejection" } as const;

const SCENARIOS: readonly Scenario[] = [
  { name: "clean", ...clean },
  { name: "clean", ...clean },
  { name: "12 numbers", ...clean, open: () => newCase(12) },
  { name: "a scan", ...clean, open: () => newCase(1, { invoice: drawnSignature() }) },
  {
    ...{ name: "500 numbers on 50 pages", ...clean },
    ...{ open: () => newCase(500, { pages: 50 }), keys: 5 },
  },
  {
    ...{ name: "an invoice without the numbers", open: newDoubtful, ...rejection },
    decide: (work) => reject(work, "invoice", "numbers_missing"),
  },
  {
    ...{ name: "a letter without a signature", open: () => newCase(1), ...rejection },
    decide: (work) => reject(work, "loa", "document_unsigned"),
  },
  {
    ...{ name: "another account number", open: () => newCase(1), ...rejection },
    decide: (work) => reject(work, "account_number", "account_number_mismatch"),
  },
  {
    ...{ name: "an own text", open: newDoubtful, ...rejection },
    decide: (work) => reject(work, "invoice", OWN_TEXT),
  },
  {
    name: "a number that another account is porting",
    open: async () => {
      const phone_numbers = [desk.product.newNumber()];
      await other.newCase({ phone_numbers });
      return desk.newCase({ phone_numbers });
    },
    decide: async (work) => {
      const { page, keys } = work;
      await page.getByText("is in a live order of").waitFor();
      await read(work);
      await keys.press("d");
      await read(work, "Invoice");
      await keys.press("A");
      const asked = page.getByRole("dialog");
      await asked.getByText("is in a live order of").waitFor();
      await keys.press("Tab", "Enter");
      await page.getByText(/^7 of 7/).waitFor();
    },
    ...{ keys: 5, becomes: "submitted" },
  },
];

describe("ten cases with the keyboard alone", () => {
  it("take three keys each where they are clean, and five to be rejected", async () => {
    const ids: string[] = [];
    for (const { open } of SCENARIOS) ids.push(await open());
    const pressed: number[] = [];
    await inConsole({ ...desk, token: ann.token, path: desk.queue("unclaimed") }, async (page) => {
      await page.getByRole("table", { name: "Review cases" }).waitFor();
      await page.keyboard.press("Enter");
      for (const [n, { name, decide }] of SCENARIOS.entries()) {
        const here = `/reviews/${ids[n] ?? ""}`;
        await untilTrue(page, `location.pathname === "${here}"`);
        await page.locator("[data-page] canvas, main img").first().waitFor();
        const keys = keyboardOf(page);
        await decide({ page, keys }).catch((cause: unknown) => {
          throw new Error(`not decided: ${name}`, { cause });
        });
        await keys.press("Control+Enter");
        await untilTrue(page, `location.pathname !== "${here}"`);
        pressed.push(keys.count());
      }
      await page.getByText("Sent to the carrier", { exact: true }).waitFor();
    });
    expect(pressed).toEqual(SCENARIOS.map(({ keys }) => keys));
    for (const [n, { becomes }] of SCENARIOS.entries()) {
      await eventually(async () => {
        const { body } = await desk.api("GET", `/v2/porting_orders/${ids[n] ?? ""}`);
        expect(body?.["status"]).toBe(becomes);
      });
    }
  }, 240_000);
});
