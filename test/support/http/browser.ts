import { chromium, type Browser, type Page } from "playwright-core";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { requireProgram } from "../programs/debian-program.ts";

/** Long enough for a click on a busy machine that draws every frame without a graphics card. */
const ACTION_MS = 90_000;

/** Debian's Chromium, headless; closed after the tests. */
export async function openBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root; it opens only the run's own pages.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const executablePath = requireProgram("chromium");
  const browser = await chromium.launch({ executablePath, args });
  endAfterTests(() => browser.close());
  return browser;
}

/** A new page whose actions wait as long as a busy machine may need. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(ACTION_MS);
  return page;
}
