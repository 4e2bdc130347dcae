import { chromium, type Browser, type BrowserServer, type Page } from "playwright-core";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { requireProgram } from "../programs/debian-program.ts";
import { testStack } from "../stack/test-stack.ts";

/** Long enough for a click on a busy machine that draws every frame without a graphics card. */
const ACTION_MS = 90_000;

/** Debian's Chromium, headless. Chromium refuses its sandbox to root; it opens only the run's own pages. */
const launchOptions = () => ({
  executablePath: requireProgram("chromium"),
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

/** A browser of the program's own; closed after the tests. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(launchOptions());
  endAfterTests(() => browser.close());
  return browser;
}

let served: Promise<BrowserServer> | undefined;

/** In the stack's process: the address of the run's browser, which starts when it is first asked for. */
export async function serveBrowser(): Promise<string> {
  served ??= chromium.launchServer({ ...launchOptions(), host: "127.0.0.1" });
  const server = await served;
  endAfterTests(() => server.close());
  return server.wsEndpoint();
}

/** The run's browser, which its files share; each has only its own contexts, which are closed after its tests. */
export async function openBrowser(): Promise<Browser> {
  const response = await fetch(`${testStack().products_url}/browser`);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  const browser = await chromium.connect(answer);
  endAfterTests(() => browser.close());
  return browser;
}

/** A new page whose actions wait as long as a busy machine may need. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(ACTION_MS);
  return page;
}
