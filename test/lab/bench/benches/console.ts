import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { consoleDeskOf, type ConsoleDesk } from "../../../support/console/console-desk.ts";
import { signIn } from "../../../support/console/sign-in.ts";
import { untilTrue } from "../../../support/console/until-true.ts";
import { fillReviewQueue, OPEN_CASES_50_000 } from "../../../support/desk/fill-review-queue.ts";
import { launchBrowser } from "../../../support/http/browser.ts";
import { startProductAt } from "../../../support/product/product.ts";
import { startWebhookReceiver } from "../../../support/webhooks/webhook-receiver.ts";
import { median, quantile, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";

const SIZE = { width: 1280, height: 800 };
const PAINTS = 5;
const LISTS = 10;
const CASES = 10;

const ROWS = "table tbody tr";

/** From the next key until something is in the page, in ms, both by the page's own clock. */
function watchFor(expression: string): string {
  return `window.measured = new Promise((resolve) => {
    addEventListener("keydown", () => {
      const from = performance.now();
      const look = () => (${expression}) ? resolve(performance.now() - from) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  }); 0`;
}

async function timed(page: Page, expression: string, key: string): Promise<number> {
  await page.evaluate(watchFor(expression));
  await page.keyboard.press(key);
  return z.number().parse(await page.evaluate("window.measured"));
}

/** What somebody sees first who opens the address, with nothing in the browser's cache. */
async function firstPaints(browser: Browser, url: string): Promise<number[]> {
  const paints: number[] = [];
  for (let n = 0; n < PAINTS; n += 1) {
    const context = await browser.newContext({ viewport: SIZE });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel("Token").waitFor();
    const entries = `performance.getEntriesByName("first-contentful-paint")`;
    await untilTrue(page, `${entries}.length > 0`);
    const paint = await page.evaluate(`${entries}[0].startTime`);
    paints.push(z.number().parse(paint));
    await context.close();
  }
  return paints;
}

const HAS_ROWS = `document.querySelectorAll("${ROWS}").length >= 100`;

/** The queue of all cases, from the key on another screen to its rows; none of them was fetched before. */
async function listsByKey(page: Page, deskUrl: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    await page.goto(`${deskUrl}/audit`);
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    await untilTrue(page, HAS_CODE_OF_QUEUE);
    await page.keyboard.press("g");
    times.push(await timed(page, HAS_ROWS, "q"));
  }
  return times;
}

/** The page's own first load fetches it while one reads. */
const HAS_CODE_OF_QUEUE = `performance.getEntriesByType("resource").some(({ name }) => name.includes("queue-page"))`;

/** The same by its address: the document, all code and the rows, by the page's own clock. */
async function listsByAddress(page: Page, deskUrl: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    await page.goto(`${deskUrl}/audit`);
    await page.goto(`${deskUrl}/reviews?view=all`, { waitUntil: "commit" });
    const looked = `new Promise((resolve) => {
      const look = () => (${HAS_ROWS}) ? resolve(performance.now()) : requestAnimationFrame(look);
      look();
    })`;
    times.push(z.number().parse(await page.evaluate(looked)));
  }
  return times;
}

interface Decided {
  readonly orderId: string;
  readonly sentAt: number;
}

/** Clean cases one after the other by keys: the time from sending one until the next is on screen. */
async function decideAll(page: Page): Promise<{ times: number[]; decided: Decided[] }> {
  const times: number[] = [];
  const decided: Decided[] = [];
  // A decision waits in the page, to be taken back; what is measured begins when it is sent.
  page.on("request", (request) => {
    const orderId = /reviews\/([^/]+)\/decision$/.exec(request.url())?.[1];
    if (orderId !== undefined) decided.push({ orderId, sentAt: Date.now() });
  });
  for (let n = 0; n < CASES; n += 1) {
    await page.locator("[data-page] canvas").first().waitFor();
    await page.keyboard.press("d");
    await page.getByRole("tab", { selected: true, name: /Invoice.*shown/ }).waitFor();
    await page.keyboard.press("A");
    await page.getByText(/^7 of 7/).waitFor();
    const { pathname } = new URL(page.url());
    const next = `location.pathname !== "${pathname}" && document.querySelector("[data-slug]") !== null`;
    times.push(await timed(page, next, "Control+Enter"));
  }
  await until(() => decided.length === CASES, { timeoutMs: 60_000, what: "every decision" });
  return { times, decided };
}

function atMost(name: string, measured: number, value: number): Figure {
  return { name, measured, unit: "ms", target: { kind: "at_most", accept: value } };
}

const sent = z.object({
  type: z.string(),
  payload: z.looseObject({
    porting_order: z.looseObject({ id: z.string() }),
    new_status: z.string(),
  }),
});

/** The desk's console in Chromium, with 50,000 open cases. */
export const consolePages: Bench = {
  name: "console",
  area: "Desk",
  once: true,
  run: async (context) => {
    const env = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
    const product = await startProductAt(await context.newPlace(), { env });
    const browser = await launchBrowser();
    const receivedAt = new Map<string, number>();
    const receiver = await startWebhookReceiver(({ body }) => {
      const event = sent.safeParse(JSON.parse(body.toString()));
      const { porting_order: order, new_status: status } = event.data?.payload ?? {};
      if (order !== undefined && status === "submitted") receivedAt.set(order.id, Date.now());
      return 200;
    });
    try {
      const desk = await consoleDeskOf(product, browser);
      const accountId = await openCases(desk, receiver.url);
      await fillReviewQueue(product.databaseUrl, OPEN_CASES_50_000);
      const paints = await firstPaints(browser, product.deskUrl);
      const page = await browser.newPage({ viewport: SIZE });
      page.setDefaultTimeout(60_000);
      await page.goto(`${product.deskUrl}/reviews?view=all`);
      await signIn(page, product.deskToken);
      const byKey = await listsByKey(page, product.deskUrl);
      const byAddress = await listsByAddress(page, product.deskUrl);
      await page.goto(`${product.deskUrl}/reviews?account_id=${accountId}`);
      await page.locator("tr[aria-current]").waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Verdicts" }).waitFor();
      const { times, decided } = await decideAll(page);
      await until(() => decided.every(({ orderId }) => receivedAt.has(orderId)), {
        timeoutMs: 60_000,
        what: "every webhook",
      });
      const waits = decided.map(({ orderId, sentAt }) => (receivedAt.get(orderId) ?? 0) - sentAt);
      return [
        atMost("console, first paint, p50", median(paints), 1_000),
        atMost("console, list of 50,000 cases on screen, p50", median(byKey), 300),
        atMost("console, list of 50,000 cases on screen, p90", quantile(byKey, 0.9), 300),
        atMost("console, the same by its address, p50", median(byAddress), 300),
        atMost("console, the same by its address, p90", quantile(byAddress, 0.9), 300),
        atMost("console, next case after sending, p50", median(times), 200),
        atMost("console, next case after sending, p90", quantile(times, 0.9), 200),
        atMost("console, verdict → webhook, p50", median(waits), 2_000),
        atMost("console, verdict → webhook, most", Math.max(...waits), 2_000),
      ];
    } finally {
      await browser.close();
      await product.stop();
      await receiver.stop();
    }
  },
};

/** One case more than are decided, so that there is a next one after the last; returns their account. */
async function openCases(desk: ConsoleDesk, url: string): Promise<string> {
  const hook = { url: `${url}/hook`, enabled_events: ["porting_order.status_changed"] };
  const made = await desk.api("POST", "/v2/webhook_endpoints", hook);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  let orderId = "";
  for (let n = 0; n <= CASES; n += 1) orderId = await desk.newCase();
  const { body } = await desk.desk("GET", `/reviews/${orderId}`);
  return z.object({ order: z.object({ account: z.object({ id: z.string() }) }) }).parse(body).order
    .account.id;
}
