import { chromium, type Browser, type Page } from "playwright-core";
import { requireProgram } from "../programs/debian-program.ts";

/** Long enough for a click on a busy machine that draws every frame without a graphics card. */
const ACTION_MS = 90_000;

let opened: Promise<Browser> | undefined;

/** Debian's Chromium, headless; the files of a process share it, and it ends with the process. */
export function openBrowser(): Promise<Browser> {
  return (opened ??= launch());
}

function launch(): Promise<Browser> {
  // Chromium refuses its sandbox to root; it opens only the run's own pages.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: requireProgram("chromium"), args });
}

/** A new page whose actions wait as long as a busy machine may need. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(ACTION_MS);
  return page;
}
