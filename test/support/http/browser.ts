import { chromium, type Browser, type Page } from "playwright-core";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { requireProgram } from "../programs/debian-program.ts";

/** A click on a busy machine, whose every frame is drawn without a graphics card. */
const ACTION_MS = 90_000;

/** Debian's Chromium without a window, closed after the tests. */
export async function openBrowser(): Promise<Browser> {
  // Root's Chromium has no sandbox; it reads the run's own pages alone.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const executablePath = requireProgram("chromium");
  const browser = await chromium.launch({ executablePath, args });
  endAfterTests(() => browser.close());
  return browser;
}

/** A page of its own whose actions wait as long as a busy machine may need. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(ACTION_MS);
  return page;
}
