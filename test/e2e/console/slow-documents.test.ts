/** @tier nightly @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { holdAnswer } from "../../support/console/held-answer.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { loadingNote } from "../../support/console/loading-note.ts";
import { faxPdf } from "../../support/documents/fax-pdf.ts";

const CONTENT = "**/desk/v1/documents/*";

let desk: ConsoleDesk;
let orderId: string;

beforeAll(async () => {
  desk = await openConsoleDesk();
  orderId = await desk.newCase();
});

/** The list of cases, and what opens the case in it. */
async function inQueue(
  act: (page: Page, open: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await inConsole({ ...desk, token: desk.deskToken, path: desk.queue() }, async (page) => {
    const link = page.locator(`a[href^="/reviews/${orderId}"]`).first();
    await link.waitFor();
    await act(page, () => link.click());
  });
}

const documentOf = (page: Page): Locator => page.getByRole("region", { name: /^Document: / });

const drawn = (page: Page): Locator => documentOf(page).locator("[data-page] canvas").first();

/** Expects that the document is not shown, for a reason, and is after another try. */
async function expectRetried(page: Page, title: string | RegExp): Promise<void> {
  const failure = documentOf(page).getByRole("alert");
  await failure.getByRole("heading", { name: title }).waitFor();
  await loadingNote(page).waitFor({ state: "detached" });
  await page.unrouteAll();
  await failure.getByRole("button", { name: "Retry" }).click();
  await drawn(page).waitFor();
  expect(await failure.count()).toBe(0);
}

describe("a document on a slow connection", () => {
  it("is said to load in its place, which shows it then", async () => {
    await inQueue(async (page, open) => {
      const content = await holdAnswer(page, "GET", CONTENT);
      await open();
      await content.asked();
      const awaited = documentOf(page).locator("[aria-busy]");
      await awaited.getByText("Loading the document…").waitFor();
      await loadingNote(page).waitFor();
      expect(await colourOf(page, "figure [aria-busy] [aria-hidden]")).not.toBe(
        await colourOf(page, "figure"),
      );
      await content.pass();
      await drawn(page).waitFor();
      expect(await awaited.count()).toBe(0);
      await loadingNote(page).waitFor({ state: "detached" });
    });
  });

  it("is no longer fetched once the case is left", async () => {
    await inQueue(async (page, open) => {
      const content = await holdAnswer(page, "GET", CONTENT);
      await open();
      await content.asked();
      await loadingNote(page).waitFor();
      const cancelled = page.waitForEvent("requestfailed", (asked) =>
        asked.url().includes("/documents/"),
      );
      await page.keyboard.press("Escape");
      await cancelled;
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await loadingNote(page).waitFor({ state: "detached" });
      await content.lose();
    });
  });
});

describe("a document that does not come", () => {
  it("says why, and is tried again", async () => {
    await inQueue(async (page, open) => {
      await page.route(/documents/, (route) => route.fulfill({ status: 500 }));
      await open();
      await expectRetried(page, "Error 500");
    });
  });

  it("is tried again where the code that reads it was lost", async () => {
    await inQueue(async (page, open) => {
      await page.route(/assets\/pdf\.worker/, (route) => route.abort());
      await open();
      await expectRetried(page, "The document is not shown");
    });
  });

  it("is not a blank page where what decodes its scan was lost, and is tried again", async () => {
    await inQueue(async (page, open) => {
      const fax = { body: faxPdf(), contentType: "application/pdf" };
      await page.route(CONTENT, (route) => route.fulfill(fax));
      await page.route(/assets\/.*\.wasm/, (route) => route.abort());
      await open();
      await expectRetried(page, "No connection");
    });
  });
});

function colourOf(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
}
