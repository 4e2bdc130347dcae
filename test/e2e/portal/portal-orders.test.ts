/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { holdAnswer } from "../../support/console/held-answer.ts";
import { loadingNote } from "../../support/console/loading-note.ts";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { newSentOrder } from "../../support/console/carried-order.ts";
import { uploadDocument } from "../../support/orders/fulfil-order.ts";
import { fillUsOrder } from "../../support/portal/fill-us-order.ts";
import { expectWell, inPortal } from "../../support/portal/in-portal.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

/** When the numbers of a new order can be moved, so many days ahead. */
async function openingOfNewOrders(days: number): Promise<string> {
  const from = new Date(Date.now() + days * 86_400_000).toISOString();
  const windows = `/v2/porting_orders/${await desk.newDraft()}/allowed_foc_windows?from=${from}`;
  return z.string().parse(dataOf(await desk.api("GET", windows))[0]?.["opens_at"]);
}

/** Opens an order's page from the list. */
async function toOrder(page: Page, orderId: string): Promise<void> {
  await page.locator(`a[href="/portal/orders/${orderId}"]`).click();
  await page.getByRole("heading", { name: "What is needed" }).waitFor();
}

async function draw(page: Page): Promise<void> {
  const drawn = page.getByRole("img", { name: /Draw your signature/ });
  await drawn.scrollIntoViewIfNeeded();
  const pad = await drawn.boundingBox();
  if (pad === null) throw new Error("there is nowhere to draw");
  const { x, y, width, height } = pad;
  await page.mouse.move(x + width * 0.2, y + height * 0.7);
  await page.mouse.down();
  for (const [right, down] of [
    [0.35, 0.2],
    [0.5, 0.8],
    [0.8, 0.3],
  ] as const) {
    await page.mouse.move(x + width * right, y + height * down, { steps: 5 });
  }
  await page.mouse.up();
}

describe("an order whose answer takes long", () => {
  it("is said to load until it is shown", async () => {
    const orderId = await desk.newDraft();
    await inPortal(desk, async (page) => {
      await page.locator(`a[href="/portal/orders/${orderId}"]`).waitFor();
      const answer = await holdAnswer(page, "GET", `**/v2/porting_orders/${orderId}`);
      await page.locator(`a[href="/portal/orders/${orderId}"]`).click();
      await answer.asked();
      await loadingNote(page).waitFor();
      await expectWell(page);
      await answer.pass();
      await page.getByRole("heading", { name: "What is needed" }).waitFor();
      await loadingNote(page).waitFor({ state: "detached" });
    });
  });
});

describe("an order in the portal", () => {
  it("takes values and a document, is signed by a drawn signature, and is submitted", async () => {
    const orderId = await desk.newDraft();
    await inPortal(desk, async (page) => {
      await toOrder(page, orderId);
      await expectWell(page);
      const billing = page.getByLabel("Billing telephone number", { exact: true });
      await billing.fill("12");
      await page.getByRole("button", { name: "Save", exact: true }).first().click();
      await page.getByText("One thing is not right yet. The rest is saved.").waitFor();
      await billing.and(page.locator("[aria-invalid]:focus")).waitFor();
      await fillUsOrder(page);
      await page.getByRole("button", { name: "Save", exact: true }).first().click();
      await page.getByText("Saved.", { exact: true }).waitFor();
      await page.getByText("Being checked").waitFor({ state: "detached" });
      await draw(page);
      await page.getByLabel("I may act for the account holder").check();
      await expectWell(page);
      await page.getByRole("button", { name: "Sign the letter" }).click();
      await page.getByRole("link", { name: "Open the letter" }).waitFor();
      await page.getByText("Everything is here").waitFor();
      await page.getByRole("button", { name: "Submit for review" }).click();
      await page.getByRole("heading", { name: "The porting desk reviews it" }).waitFor();
      const next = page.getByRole("heading", { name: "The porting desk reviews it" });
      await next.and(page.locator(":focus")).waitFor();
      await page.getByText("You, in the portal").first().waitFor();
      await expectWell(page);
    });
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(body).toMatchObject({ status: "in_review" });
  });

  it("names in the list what was not accepted beside what is missing", async () => {
    const orderId = await desk.newDraft();
    await uploadDocument(desk, { orderId, slug: "invoice", content: Buffer.from("%PDF-1.7 x") });
    await inPortal(desk, async (page) => {
      const row = page
        .getByRole("row")
        .filter({ has: page.locator(`a[href="/portal/orders/${orderId}"]`) });
      await eventually(async () => {
        await page.reload();
        await row.waitFor();
        expect(await row.textContent()).toMatch(/Not accepted: Invoice.*Missing: /);
      });
    });
  });

  it("is asked to be changed, and the change withdrawn", async () => {
    const orderId = await newSentOrder(desk);
    const opens = await openingOfNewOrders(20);
    await inPortal(desk, async (page) => {
      await page.locator(`a[href="/portal/orders/${orderId}"]`).click();
      await page.getByRole("button", { name: "Ask for a change" }).click();
      const typed = await page.evaluate((at) => {
        const local = new Date(at);
        local.setMinutes(local.getMinutes() - local.getTimezoneOffset());
        return local.toISOString().slice(0, 16);
      }, opens);
      await page.getByLabel("Another date and time").fill(typed);
      await expectWell(page);
      await page.getByRole("button", { name: "Ask the carrier" }).click();
      await page.getByText("Waits for the carrier").waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Withdraw" }).click();
      await page.getByText("Withdrawn", { exact: true }).waitFor();
      await page.getByText("The change was withdrawn").waitFor();
    });
  });

  it("has a date before the requested one confirmed by a click", async () => {
    const orderId = await newSentOrder(desk, { foc_requested: await openingOfNewOrders(20) });
    const foc_at = new Date(Date.now() + 9 * 86_400_000).toISOString();
    const update = { kind: "date_confirmed", raw_status: "FOC", foc_at };
    await desk.desk("POST", `/orders/${orderId}/carrier_updates`, update);
    await inPortal(desk, async (page) => {
      await page.locator(`a[href="/portal/orders/${orderId}"]`).click();
      await page.getByRole("heading", { name: /before the one that you asked for/ }).waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Confirm the date" }).click();
      await page.getByRole("heading", { name: "Waiting for the port date" }).waitFor();
    });
  });

  it("brings a comment to the desk's case, and the desk's answer back", async () => {
    const orderId = await desk.newCase();
    await inPortal(desk, async (page) => {
      await toOrder(page, orderId);
      await page
        .getByLabel("Write to the porting desk")
        .fill("The second page is the one to read.");
      await page.getByRole("button", { name: "Send comment" }).click();
      await page.getByRole("listitem").filter({ hasText: "The second page" }).waitFor();
      await eventually(async () => {
        const comments = dataOf(await desk.desk("GET", `/orders/${orderId}/comments`));
        const bodies = z.array(z.looseObject({ body: z.string() })).parse(comments);
        expect(bodies.map(({ body }) => body)).toContain("The second page is the one to read.");
      });
      await desk.desk("POST", `/orders/${orderId}/comments`, { body: "Thank you, found it." });
      await page.reload();
      await page.getByText("Thank you, found it.").waitFor();
      await page.getByText("Porting desk").first().waitFor();
      await expectWell(page);
    });
  });
});
