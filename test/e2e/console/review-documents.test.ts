/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { FAX_SIZE, FAX_TIFF } from "../../support/documents/fax-tiff.ts";
import { drawnSignature } from "../../support/documents/png-factory.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { fulfilOrder, uploadDocument } from "../../support/orders/fulfil-order.ts";

/** A JPEG of one grey pixel. */
const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z",
  "base64",
);

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

interface Upload {
  readonly content: Buffer;
  readonly fileName?: string;
  /** ISO 8601; now unless given. */
  readonly documentDate?: string;
}

/** A case whose invoice is the given file. */
async function caseWith(upload: Upload, fields: Readonly<Record<string, unknown>> = {}) {
  const orderId = await desk.newDraft(fields);
  await fulfilOrder(desk, orderId);
  await uploadDocument(desk, { orderId, slug: "invoice", ...upload });
  await desk.submit(orderId);
  return orderId;
}

async function onInvoice(orderId: string, act: (page: Page) => Promise<void>): Promise<void> {
  const path = `/reviews/${orderId}`;
  await inConsole({ ...desk, token: desk.deskToken, path }, async (page) => {
    await page.getByRole("tab", { name: "Invoice" }).click();
    await act(page);
  });
}

async function widthOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.width ?? 0;
}

describe("the date of a document", () => {
  it("is the day that was given, wherever it is read", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const documentDate = `${today}T00:00:00Z`;
    const orderId = await caseWith({ content: testPdf("Invoice of today"), documentDate });
    const day = new Date(documentDate).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    });
    const path = `/reviews/${orderId}`;
    const timezoneId = "America/Los_Angeles";
    await inConsole({ ...desk, token: desk.deskToken, path, timezoneId }, async (page) => {
      await page.locator('[data-slug="invoice"]').getByText(`dated ${day}`).waitFor();
    });
  });
});

describe("a PDF", () => {
  it("is enlarged, turned and fitted by keys", async () => {
    const orderId = await caseWith({ content: testPdf("Invoice of October") });
    await onInvoice(orderId, async (page) => {
      await page.locator("[data-page] canvas").waitFor();
      const fitted = await widthOf(page, "[data-page]");
      await page.keyboard.press("+");
      await page.getByText("125%").waitFor();
      await expectWidth(page, fitted * 1.25);
      await page.keyboard.press("-");
      await page.keyboard.press("-");
      await page.getByText("80%").waitFor();
      await page.keyboard.press("0");
      await page.getByText("100%").waitFor();
      await expectWidth(page, fitted);
      const upright = await heightOf(page);
      await page.keyboard.press(".");
      await untilTrue(
        page,
        `document.querySelector("[data-page]").getBoundingClientRect().height < ${upright * 0.8}`,
      );
    });
  });

  it("shows where a value of the case stands in it, however it is written there", async () => {
    const phone = desk.product.newNumber();
    const dotted = [phone.slice(2, 5), phone.slice(5, 8), phone.slice(8)].join(".");
    const text = `Lines: ${dotted} and others`;
    const fields = { phone_numbers: [phone] };
    const orderId = await caseWith({ content: testPdf(text) }, fields);
    await onInvoice(orderId, async (page) => {
      await page.locator("[data-page] canvas").waitFor();
      await page.getByRole("button", { name: phone, exact: true }).first().click();
      await page.getByText("1 of 1", { exact: true }).waitFor();
      const mark = await page.locator("mark[data-current]").boundingBox();
      const sheet = await page.locator("[data-page]").boundingBox();
      expect(mark?.width).toBeGreaterThan(20);
      expect(mark?.y).toBeGreaterThan(sheet?.y ?? 0);
      const find = page.getByRole("searchbox", { name: "Find in the document" });
      await find.fill("OTHERS");
      await find.press("Enter");
      await page.getByText("1 of 1", { exact: true }).waitFor();
      await find.fill("nowhere");
      await find.press("Enter");
      await page.getByText("Not found", { exact: true }).waitFor();
    });
  });

  it("of many pages is gone through by key, by number and by small images", async () => {
    const [first = "", ...others] = Array.from({ length: 50 }, (_, n) => `Sheet ${n + 1}`);
    const orderId = await caseWith({ content: testPdf(first, ...others) });
    await onInvoice(orderId, async (page) => {
      await page.locator("[data-page] canvas").first().waitFor();
      const number = page.getByLabel("Page, of 50");
      const isAt = (n: number) =>
        untilTrue(page, `document.querySelector("#page-number").value === "${n}"`);
      await page.keyboard.press("]");
      await isAt(2);
      await page.keyboard.press("p");
      await page.keyboard.type("37");
      await page.keyboard.press("Enter");
      await isAt(37);
      await page.locator('[data-page="37"] canvas').waitFor();
      await page.keyboard.press("[");
      await isAt(36);
      const small = page.getByRole("button", { name: "Go to page 35" });
      await small.locator("canvas").waitFor();
      await small.click();
      await isAt(35);
      expect(await number.inputValue()).toBe("35");
      await page.getByRole("tab", { name: "Invoice" }).getByText("/50").waitFor();
    });
  });

  it("shows the value of the field enlarged by key, and its next place by the same", async () => {
    const orderId = await caseWith({
      content: testPdf("Account 8772 114 90210", "8772-114-90210"),
    });
    await onInvoice(orderId, async (page) => {
      await page.locator("[data-page] canvas").first().waitFor();
      await page.locator('[data-slug="account_number"]').getByRole("heading").click();
      await page.keyboard.press("f");
      await page.getByText("150%").waitFor();
      await page.getByText("1 of 2", { exact: true }).waitFor();
      await page.keyboard.press("f");
      await page.getByText("2 of 2", { exact: true }).waitFor();
    });
  });

  it("that holds JavaScript runs none of it", async () => {
    const orderId = await caseWith({ content: testPdf("plain") });
    const script = pdfWithScript();
    await inConsole({ ...desk, token: desk.deskToken }, async (page) => {
      // The service takes no such file any more; one that came before must still harm nobody.
      await page.route("**/desk/v1/documents/*", (route) =>
        route.fulfill({ body: script, contentType: "application/pdf" }),
      );
      let alerts = 0;
      page.on("dialog", (dialog) => {
        alerts += 1;
        void dialog.dismiss();
      });
      await page.goto(`${desk.deskUrl}/reviews/${orderId}`);
      await page.locator("[data-page] canvas").first().waitFor();
      await page.getByRole("tab", { name: /shown/ }).first().waitFor();
      expect(alerts).toBe(0);
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    });
  });
});

async function heightOf(page: Page): Promise<number> {
  return (await page.locator("[data-page]").first().boundingBox())?.height ?? 0;
}

async function expectWidth(page: Page, width: number): Promise<void> {
  await untilTrue(
    page,
    `Math.abs(document.querySelector("[data-page]").getBoundingClientRect().width - ${width}) < 2`,
  );
}

/** The test PDF with an action that runs when it is opened. */
function pdfWithScript(): Buffer {
  const action = "<</S/JavaScript/JS(app.alert\\('x'\\);globalThis.hacked=1)>>";
  const text = testPdf("script").toString("latin1");
  const added = text.replace("/Type /Catalog", `/OpenAction ${action} /Type /Catalog`);
  // The table's offsets no longer hold; pdf.js rebuilds it, as it does for many scanners' files.
  return Buffer.from(added, "latin1");
}

describe("an image", () => {
  it.each([
    ["PNG", { content: drawnSignature(), width: 240 }],
    ["JPEG", { content: JPEG, width: 1 }],
  ] as const)("in %s is shown, and counts as shown", async (kind, { content, width }) => {
    const fileName = `invoice.${kind.toLowerCase()}`;
    const orderId = await caseWith({ content, fileName });
    await onInvoice(orderId, async (page) => {
      const image = page.getByRole("img", { name: "Invoice" });
      await image.waitFor();
      await page.getByRole("tab", { name: /Invoice.*shown/ }).waitFor();
      expect(await page.evaluate(`document.querySelector("main img").naturalWidth`)).toBe(width);
      const fitted = await widthOf(page, "img");
      await page.keyboard.press("+");
      await page.getByText("125%").waitFor();
      expect(await widthOf(page, "img")).toBeGreaterThan(fitted);
    });
  });
});

describe("a scan", () => {
  it("says once that it holds no text to compare", async () => {
    const orderId = await caseWith({ content: drawnSignature(), fileName: "invoice.png" });
    await onInvoice(orderId, async (page) => {
      const invoice = page.locator('[data-slug="invoice"]');
      await invoice.getByText("A scan: no text to compare").waitFor();
      expect(await invoice.getByText(/not readable/).count()).toBe(0);
    });
  });
});

describe("a TIFF", () => {
  it("is shown page by page, as images that the service makes of it", async () => {
    const orderId = await caseWith({ content: FAX_TIFF, fileName: "invoice.tiff" });
    await onInvoice(orderId, async (page) => {
      const image = page.getByRole("img", { name: /page 1$/ });
      await image.waitFor();
      const number = page.getByLabel("Page, of 2");
      expect(await number.inputValue()).toBe("1");
      const tab = page.getByRole("tab", { name: /Invoice/ });
      await tab.getByText("1/2").waitFor();
      expect(await page.evaluate(`document.querySelector("main img").naturalWidth`)).toBe(
        FAX_SIZE.width,
      );
      await page.getByRole("button", { name: "Next page" }).click();
      await page.getByRole("img", { name: /page 2$/ }).waitFor();
      expect(await number.inputValue()).toBe("2");
      await tab.getByText("shown").waitFor();
    });
  });
});

describe("what strangers wrote", () => {
  const script = `<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1">`;

  it("is shown as text, wherever it stands", async () => {
    const orderId = await desk.newDraft({ customer_reference: `x${script}`.slice(0, 60) });
    const path = `/v2/porting_orders/${orderId}`;
    await fulfilOrder(desk, orderId);
    const name = { field_value: `Acme ${script}` };
    expect((await desk.api("PATCH", `${path}/requirements/entity_name`, name)).status).toBe(200);
    const comment = await desk.api("POST", `${path}/comments`, { body: script });
    expect(comment.status).toBe(201);
    const signature = { signer_name: "Grace Hopper", signer_title: "Director", consent: true };
    const signed = await desk.api("POST", `${path}/loa/sign`, signature);
    expect([signed.status, signed.body?.["errors"]]).toEqual([201, undefined]);
    await desk.submit(orderId);
    await inConsole({ ...desk, token: desk.deskToken, path: desk.queue() }, async (page) => {
      await page.getByText("<script>globalThis").first().waitFor();
      await page.goto(`${desk.deskUrl}/reviews/${orderId}`);
      await page.getByText(`Acme ${script}`).waitFor();
      await page.getByText(script, { exact: true }).waitFor();
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    });
  });
});
