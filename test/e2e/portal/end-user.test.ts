/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { holdAnswer } from "../../support/console/held-answer.ts";
import { NARROW } from "../../support/console/in-console.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { atLink, expectWell, inPortal } from "../../support/portal/in-portal.ts";
import { newLink } from "../../support/portal/portal-visitor.ts";
import { LOGO } from "../../support/portal/test-logo.ts";
import { createAccount } from "../../support/product/create-account.ts";

const DAYS_AGO = 20 * 86_400_000;
const LATELY = new Date(Date.now() - DAYS_AGO).toISOString().slice(0, 10);
/** 200 % on a phone leaves half of its width. */
const ENLARGED = { width: 195, height: 422 };

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

/** Opens a new order's page on a phone. */
async function asEndUser(
  act: (page: Page, orderId: string) => Promise<void>,
  language?: string,
): Promise<void> {
  const orderId = await desk.newDraft();
  const asked = language === undefined ? {} : { language };
  await inPortal({ ...desk, orderId, ...asked }, async (page) => {
    await page.setViewportSize(NARROW);
    await act(page, orderId);
  });
}

const bill = { name: "bill.pdf", mimeType: "application/pdf", buffer: testPdf("bill") };

const field = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

const address = (page: Page, part: string) =>
  field(page, "Where the line is used").getByLabel(part, { exact: true });

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).first();

const mainNumber = (page: Page) => page.getByLabel("Main number on your bill", { exact: true });

async function chooseBill(page: Page): Promise<void> {
  const invoice = field(page, "Your latest bill");
  await invoice.getByLabel("File").setInputFiles(bill);
  await invoice.getByLabel("Date on the document").fill(LATELY);
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name on the contract").fill("Example Telecom Inc");
  await page.getByLabel("Your name", { exact: true }).fill("Grace Hopper");
  await address(page, "Street and number").fill("1 Main Street");
  await address(page, "City").fill("New York");
  await address(page, "State").selectOption({ label: "New York" });
  await address(page, "ZIP code").fill("10001");
  await page.getByLabel("Account number").fill("8772-114-90210");
  await mainNumber(page).pressSequentially("2125550100");
}

async function statusOf(orderId: string): Promise<unknown> {
  return (await desk.api("GET", `/v2/porting_orders/${orderId}`)).body?.["status"];
}

describe("an end user", () => {
  it("fills in everything on a phone, saves it at once, signs and sends it", async () => {
    await asEndUser(async (page, orderId) => {
      await page.getByText(/^\(212\) \d{3}-\d{4}/).waitFor();
      await expectWell(page);
      await page.setViewportSize(NARROW);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText(/^7 things are still to do/).waitFor();
      const first = field(page, "Your latest bill").getByLabel("File");
      await first.and(page.locator(":focus")).waitFor();
      await expectWell(page);
      await page.setViewportSize(NARROW);
      await fillIn(page);
      expect(await mainNumber(page).inputValue()).toBe("(212) 555-0100");
      await chooseBill(page);
      await page.getByText("Not saved yet.").waitFor();
      await save(page).click();
      await page.getByText("Saved.", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Open the document" }).waitFor();
      await page.getByText("One thing is still to do: Your signature").waitFor();
      await field(page, "Your latest bill").getByText("Saved").waitFor();
      await expectWell(page);
      await page.setViewportSize(NARROW);
      await page.getByLabel("I may act for the account holder").check();
      await page.getByRole("button", { name: "Sign the letter" }).click();
      await page.getByRole("link", { name: "Open the letter" }).waitFor();
      await page.getByText("Everything is here.").waitFor();
      await page.getByRole("button", { name: "Send", exact: true }).click();
      const done = page.getByText("Thank you, you are done.");
      await done.and(page.locator(":focus")).waitFor();
      await expectWell(page);
      expect(await statusOf(orderId)).toBe("in_review");
    });
  });

  it("needs no mouse", async () => {
    await asEndUser(async (page, orderId) => {
      const tabTo = async (target: Locator): Promise<void> => {
        await target.waitFor();
        for (let n = 0; n < 60; n += 1) {
          if ((await target.and(page.locator(":focus")).count()) > 0) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`Tab does not reach ${String(target)}`);
      };
      await chooseBill(page);
      const holder = page.getByLabel("Name on the contract");
      await tabTo(holder);
      await page.keyboard.type("Example Telecom Inc");
      await tabTo(address(page, "State"));
      await page.keyboard.type("New Y");
      await tabTo(mainNumber(page));
      await page.keyboard.type("2125550100");
      await page.keyboard.press("Enter");
      // Of the address the state alone was given.
      const street = address(page, "Street and number");
      await street.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("1 Main Street");
      await tabTo(address(page, "City"));
      await page.keyboard.type("New York");
      await tabTo(address(page, "ZIP code"));
      await page.keyboard.type("10001");
      await tabTo(save(page));
      await page.keyboard.press("Enter");
      await page.getByText("Saved.", { exact: true }).waitFor();
      await tabTo(page.getByLabel("Your full name"));
      await page.keyboard.type("Grace Hopper");
      await tabTo(page.getByLabel("I may act for the account holder"));
      await page.keyboard.press("Space");
      await page.keyboard.press("Enter");
      // What the letter states and is missing is marked where it stands.
      const person = page.getByLabel("Your name", { exact: true });
      await person.and(page.locator(":focus")).waitFor();
      expect(await statusOf(orderId)).toBe("draft");
    });
  });

  it("keeps what was typed over a reload and a lost connection", async () => {
    await asEndUser(async (page) => {
      await fillIn(page);
      await page.reload();
      expect(await address(page, "Street and number").inputValue()).toBe("1 Main Street");
      expect(await mainNumber(page).inputValue()).toBe("(212) 555-0100");
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await save(page).click();
      await page.getByText("Not saved: There is no connection.").waitFor();
      await expectWell(page);
      expect(await address(page, "City").inputValue()).toBe("New York");
      await page.context().setOffline(false);
      await save(page).click();
      await page.getByText("Saved.", { exact: true }).waitFor();
      await page.reload();
      expect(await address(page, "City").inputValue()).toBe("New York");
      expect(await page.getByText("Not saved yet.").count()).toBe(0);
    });
  });

  it("is led to the first thing that is wrong, while the rest is saved", async () => {
    await asEndUser(async (page, orderId) => {
      await fillIn(page);
      await address(page, "ZIP code").fill("1000");
      await mainNumber(page).fill("12");
      await save(page).click();
      await page.getByText("2 things are not right yet. The rest is saved.").waitFor();
      const zip = address(page, "ZIP code");
      await zip.and(page.locator(":focus")).waitFor();
      await page.getByText("This is not a postal code of the country.").waitFor();
      await page.getByText("This is not a valid phone number.").waitFor();
      await expectWell(page);
      const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
      expect(JSON.stringify(body)).toContain("Example Telecom Inc");
      await zip.fill("10001");
      expect(await zip.getAttribute("aria-invalid")).toBeNull();
    });
  });
});

describe("the language of the page", () => {
  it("is the link's from the first page on, and stays", async () => {
    const orderId = await desk.newDraft();
    const { url } = await newLink(desk, { order_id: orderId });
    await atLink({ ...desk, url: url.replace("#", "?lang=de#") }, async (page) => {
      await page.setViewportSize(NARROW);
      await page.getByText("Sie haben einen Link bekommen").waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Weiter" }).click();
      await page.getByRole("heading", { name: "Ihre Rufnummer mitnehmen" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Was wir brauchen" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("de");
      await expectWell(page);
    });
  });

  it.each([
    ["de", "Speichern", "Das ist keine gültige Rufnummer."],
    ["fr", "Enregistrer", "Ce n'est pas un numéro de téléphone valable."],
    ["es", "Guardar", "No es un número de teléfono válido."],
  ])("is that of refusals too, and fits a phone at 200 %%: %s", async (language, verb, refusal) => {
    await asEndUser(async (page) => {
      expect(await page.locator("html").getAttribute("lang")).toBe(language);
      await page.locator('input[type="tel"]').first().fill("12");
      await page.getByRole("button", { name: verb, exact: true }).first().click();
      await page.getByText(refusal).waitFor();
      await page.setViewportSize(ENLARGED);
      await expectNoSidewaysScroll(page);
      await expectWell(page);
    }, language);
  });

  it("is chosen on the page", async () => {
    await asEndUser(async (page) => {
      await page.getByLabel("Name on the contract").fill("Example Telecom Inc");
      await page.getByLabel("Language").selectOption({ label: "Français" });
      await page.getByRole("heading", { name: "Transférer votre numéro" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("fr");
      expect(await page.getByLabel("Nom du titulaire").inputValue()).toBe("Example Telecom Inc");
      await page.reload();
      await page.getByRole("heading", { name: "Transférer votre numéro" }).waitFor();
    });
  });
});

describe("a document of an end user", () => {
  it("shows how much of it is sent", async () => {
    await asEndUser(async (page) => {
      await chooseBill(page);
      const answer = await holdAnswer(page, "PATCH", "**/requirements/invoice");
      await save(page).click();
      await answer.asked();
      await page.getByRole("progressbar", { name: "Upload of bill.pdf" }).waitFor();
      await page.getByText(/MB of .* MB sent|Sent\. It is being stored…/).waitFor();
      await expectWell(page);
      await answer.pass();
      await page.getByRole("link", { name: "Open the document" }).waitFor();
      await page.getByRole("progressbar").waitFor({ state: "detached" });
    });
  });

  it("is looked at before it is sent", async () => {
    await asEndUser(async (page) => {
      const choose = (name: string, mimeType: string, size: number) =>
        field(page, "Your latest bill")
          .getByLabel("File")
          .setInputFiles({ name, mimeType, buffer: Buffer.alloc(size) });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.method()));
      await choose("bill.pdf", "application/pdf", 21 * 1024 * 1024);
      await save(page).click();
      await page.getByText("This file is too large. At most 20.9 MB can be sent.").waitFor();
      await choose("IMG_0001.heic", "image/heic", 100);
      await save(page).click();
      await page.getByText("This photo is in Apple's HEIC format").waitFor();
      await choose("bill.docx", "application/msword", 100);
      await save(page).click();
      await page.getByText("Send it as PDF, PNG, JPEG or TIFF.").waitFor();
      expect(asked.filter((method) => method === "PATCH")).toEqual([]);
      await expectWell(page);
    });
  });
});

/** Chooses a photo as a phone takes it: 12 million pixels, and padded to as many bytes. */
const CHOOSE_PHOTO = `(async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 4032, height: 3024 });
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 4032, 3024);
  context.fillStyle = "#000000";
  context.font = "80px sans-serif";
  for (let y = 100; y < 3000; y += 120) context.fillText("Invoice of Example Telecom " + y, 100, y);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.95));
  const padding = new Uint8Array(12_000_000 - blob.size);
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob, padding], "IMG_0001.jpg", { type: "image/jpeg" }));
  const input = document.querySelector('input[type="file"]');
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
})()`;

describe("a photo of a bill", () => {
  it("of 12 MB is sent as a smaller one", async () => {
    await asEndUser(async (page) => {
      await field(page, "Your latest bill").getByLabel("Date on the document").fill(LATELY);
      await page.evaluate(CHOOSE_PHOTO);
      await page.getByText("It is sent when you save.").waitFor();
      await save(page).click();
      const sent = page.getByRole("link", { name: "Open the document" });
      const path = z.string().parse(await sent.getAttribute("href"));
      const stored = z
        .object({ size: z.number(), type: z.string() })
        .parse(
          await page.evaluate(
            `fetch("${path}").then((got) => got.blob()).then(({ size, type }) => ({ size, type }))`,
          ),
        );
      expect(stored.type).toBe("image/jpeg");
      expect(stored.size).toBeLessThan(4_000_000);
      await page.getByText(/^6 things are still to do/).waitFor();
    });
  });
});

describe("who sent the link", () => {
  it("is shown by name, colour and logo, as it was set in the portal", async () => {
    const customer = { ...desk, ...(await createAccount(desk, `Branded ${crypto.randomUUID()}`)) };
    await inPortal(customer, async (page) => {
      await page.getByRole("link", { name: "Appearance" }).click();
      await page.getByLabel("Name").fill("Acme Telecom");
      // Too light for white text on it.
      await page.getByLabel("Colour").fill("#ffdd00");
      const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
      await page.getByLabel("Logo").setInputFiles(file);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("It is not an intact PNG or JPEG.").waitFor();
      await page.getByLabel("Logo").setInputFiles({ ...file, buffer: LOGO });
      await expectWell(page);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Your end users see this from now on").waitFor();
    });
    const made = await call(`${customer.apiUrl}/v2/porting_orders`, {
      ...{ method: "POST", key: customer.apiKey },
      body: { phone_numbers: [desk.product.newNumber()] },
    });
    const order_id = String(dataOf(made)[0]?.["id"]);
    const { url } = await newLink(customer, { order_id });
    await atLink({ ...customer, url }, async (page) => {
      await page.setViewportSize(NARROW);
      await page.getByText("Acme Telecom").waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Move your number" }).waitFor();
      await page.getByText("Acme Telecom").waitFor();
      const isDrawn = `document.querySelector("header img").naturalWidth > 0`;
      await untilTrue(page, isDrawn);
      await expectWell(page);
    });
  });
});

describe("what a browser fetches", () => {
  it("for an end user's first visit has 250 KiB at most", async () => {
    const orderId = await desk.newDraft();
    const { url } = await newLink(desk, { order_id: orderId });
    await atLink({ ...desk, url: `${desk.apiUrl}/healthz` }, async (page) => {
      const session = await page.context().newCDPSession(page);
      let bytes = 0;
      session.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await session.send("Network.enable");
      await page.goto(url);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText(/^\(212\) \d{3}-\d{4}/).waitFor();
      await page.waitForLoadState("networkidle");
      expect(bytes).toBeGreaterThan(100 * 1024);
      expect(bytes).toBeLessThanOrEqual(250 * 1024);
    });
  });
});
