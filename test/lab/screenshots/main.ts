import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Browser, Page } from "playwright-core";
import {
  createClient,
  openHttpPlace,
  type Client,
  type HttpPlace,
} from "../../../infra/demo/demo-client.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { signIn } from "../../support/console/sign-in.ts";
import { launchBrowser } from "../../support/http/browser.ts";
import { withPalette } from "./palette-png.ts";

/** What the screens show: one of each kind that has something to see. */
interface Subjects extends HttpPlace {
  readonly caseId: string | null;
  readonly orderId: string;
  /** With a date that its carrier may still move. */
  readonly waitingId: string | null;
  readonly rejected: OwnedOrder | null;
  readonly draft: OwnedOrder | null;
  readonly accountId: string;
  readonly endpointId: string | null;
  readonly deliveryId: string | null;
  readonly eventId: string | null;
  readonly portOutId: string | null;
  readonly ownPortOutId: string | null;
  readonly number: string | null;
  /** A new link into the portal, to an account or to an order of it. */
  readonly newLink: (accountId: string, orderId?: string) => Promise<string>;
}

interface OwnedOrder {
  readonly id: string;
  readonly account: { readonly id: string };
}

const row = z.looseObject({ id: z.string(), status: z.string().optional() });
const rows = z.object({ data: z.array(row) });
const cases = z.object({
  data: z.array(z.looseObject({ order_id: z.string(), attempt: z.number() })),
});

const accounts = z.object({
  data: z.array(z.looseObject({ id: z.string(), account: z.looseObject({ id: z.string() }) })),
});
const numbers = z.object({ data: z.array(z.looseObject({ phone_number: z.string() })) });

async function idsOf(ask: Client, path: string): Promise<string[]> {
  return rows.parse(await ask(path)).data.map(({ id }) => id);
}

/** Of an account with port-outs, else of that with the most orders of the demo, so that its pages are full. */
async function readSubjects(place: HttpPlace, desk: Client): Promise<Subjects> {
  const open = cases.parse(await desk("/reviews?limit=100")).data;
  const [orderId = ""] = await idsOf(desk, "/orders?status=completed_partial&limit=1");
  const all = accounts.parse(await desk("/orders?limit=250")).data;
  const ported = accounts.parse(await desk("/port_outs?limit=250")).data;
  const accountId = mostFrequent((ported.length > 0 ? ported : all).map((one) => one.account.id));
  const apiOf = async (id: string): Promise<Client> => {
    const body = { name: "screenshots" };
    const key = await desk(`/accounts/${id}/api_keys`, { method: "POST", body });
    return createClient(`${place.apiUrl}/v2`, z.string().parse(key["key"]));
  };
  const api = await apiOf(accountId);
  const owned = async (status: string): Promise<OwnedOrder | null> =>
    accounts.parse(await desk(`/orders?status=${status}&limit=1`)).data[0] ?? null;
  const first = async (path: string): Promise<string | null> => (await idsOf(api, path))[0] ?? null;
  const again = open.find(({ attempt }) => attempt > 1) ?? open[0];
  return {
    ...place,
    accountId,
    orderId: orderId === "" ? ((await idsOf(desk, "/orders?limit=1"))[0] ?? "") : orderId,
    caseId: again?.order_id ?? null,
    waitingId: (await idsOf(desk, "/orders?status=foc_scheduled&limit=1"))[0] ?? null,
    rejected: await owned("rejection"),
    draft: await owned("draft"),
    endpointId: await first("/webhook_endpoints?limit=1"),
    deliveryId: await first("/webhook_deliveries?limit=1"),
    eventId: await first("/porting/events?limit=1"),
    portOutId: (await idsOf(desk, "/port_outs?limit=1"))[0] ?? null,
    ownPortOutId: await first("/port_outs?limit=1"),
    number: numbers.parse(await api("/numbers?limit=1")).data[0]?.phone_number.slice(1) ?? null,
    newLink: async (id, orderId) => {
      const body = orderId === undefined ? {} : { order_id: orderId };
      const link = await (await apiOf(id))("/portal_sessions", { method: "POST", body });
      return z.string().parse(link["url"]);
    },
  };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

interface Screen {
  readonly name: string;
  /** Null where there is nothing to show; empty for where a link leads. */
  readonly pathOf: (subjects: Subjects) => string | null;
  readonly ready?: (page: Page) => Promise<void>;
  /** The documents have it in both themes, this wide. */
  readonly docs?: Size;
}

const at = (path: string) => () => path;
const below = (path: string, id: string | null): string | null => (id === null ? null : path + id);

async function drawn(page: Page): Promise<void> {
  await page.locator("[data-page] canvas, img").first().waitFor();
}

const DESK_SCREENS: readonly Screen[] = [
  { name: "reviews", pathOf: at("/reviews?view=all") },
  { name: "case", pathOf: ({ caseId }) => below("/reviews/", caseId), ready: drawn },
  {
    name: "rejection",
    pathOf: ({ caseId }) => below("/reviews/", caseId),
    ready: async (page) => {
      await drawn(page);
      await page.keyboard.press("r");
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("radio").first().check();
      await drawer.getByRole("region", { name: "Preview" }).waitFor();
    },
  },
  { name: "orders", pathOf: at("/orders") },
  { name: "order", pathOf: ({ orderId }) => `/orders/${orderId}` },
  { name: "trace", pathOf: ({ orderId }) => `/orders/${orderId}/messages` },
  {
    name: "carrier-update",
    pathOf: ({ waitingId }) => below("/orders/", waitingId),
    ready: async (page) => {
      await page.getByRole("button", { name: "Carrier update" }).click();
      await page.getByLabel("What did the carrier say?").selectOption("date_confirmed");
    },
  },
  { name: "port-outs", pathOf: at("/port-outs?status=any") },
  { name: "port-out", pathOf: ({ portOutId }) => below("/port-outs/", portOutId) },
  { name: "numbers", pathOf: at("/numbers") },
  { name: "number", pathOf: ({ number }) => below("/numbers/", number) },
  { name: "carriers", pathOf: at("/carriers") },
  { name: "accounts", pathOf: at("/accounts") },
  { name: "account", pathOf: ({ accountId }) => `/accounts/${accountId}` },
  { name: "webhooks", pathOf: at("/webhooks") },
  { name: "endpoint", pathOf: ({ endpointId }) => below("/webhooks/", endpointId) },
  { name: "deliveries", pathOf: at("/deliveries") },
  { name: "delivery", pathOf: ({ deliveryId }) => below("/deliveries/", deliveryId) },
  { name: "dead-letters", pathOf: at("/dead-letters") },
  { name: "health", pathOf: at("/health") },
  { name: "team", pathOf: at("/team") },
  { name: "audit", pathOf: at("/audit") },
  { name: "operators", pathOf: at("/operators") },
];

const PORTAL_SCREENS: readonly Screen[] = [
  { name: "portal-orders", pathOf: at("/portal/orders") },
  { name: "portal-new-order", pathOf: at("/portal/orders/new") },
  { name: "portal-numbers", pathOf: at("/portal/numbers") },
  { name: "portal-number", pathOf: ({ number }) => below("/portal/numbers/", number) },
  { name: "portal-port-outs", pathOf: at("/portal/port-outs?status=any") },
  {
    name: "portal-port-out",
    pathOf: ({ ownPortOutId }) => below("/portal/port-outs/", ownPortOutId),
  },
  { name: "portal-events", pathOf: at("/portal/events") },
  { name: "portal-event", pathOf: ({ eventId }) => below("/portal/events/", eventId) },
  { name: "portal-deliveries", pathOf: at("/portal/deliveries") },
  {
    name: "portal-delivery",
    pathOf: ({ deliveryId }) => below("/portal/deliveries/", deliveryId),
  },
  { name: "portal-endpoints", pathOf: at("/portal/endpoints") },
  {
    name: "portal-endpoint",
    pathOf: ({ endpointId }) => below("/portal/endpoints/", endpointId),
  },
  { name: "portal-appearance", pathOf: at("/portal/appearance") },
];

/** Each by a link of its own, because not every account has such an order. */
const LINKED_SCREENS: readonly (Screen & {
  readonly orderOf: (of: Subjects) => OwnedOrder | null;
})[] = [
  {
    name: "portal-order",
    pathOf: ({ rejected }) => `/portal/orders/${rejected?.id ?? ""}`,
    orderOf: ({ rejected }) => rejected,
  },
  { name: "portal-end-user", pathOf: at(""), orderOf: ({ draft }) => draft, docs: "narrow" },
];

/** Without signing in. */
const DOCS_SCREENS: readonly Screen[] = [
  { name: "docs", pathOf: at("/docs") },
  { name: "docs-guide", pathOf: at("/docs/guides/quick-start") },
  { name: "docs-events", pathOf: at("/docs/events") },
  { name: "reference", pathOf: at("/docs/api/porting-orders") },
];

const OUT = join(projectRoot, ".cache", "screenshots");
const DOCS = join(projectRoot, "docs", "images");
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const THEMES = ["light", "dark"] as const;
const DOCS_HEIGHT = 660;
/** Charts and pages of documents are drawn after their data has come. */
const SETTLE_MS = 1_500;

type Size = keyof typeof SIZES;
type Theme = (typeof THEMES)[number];

interface Look {
  readonly size: Size;
  readonly theme: Theme;
}

async function openPage(browser: Browser, { size, theme }: Look): Promise<Page> {
  const settings = { viewport: SIZES[size], colorScheme: theme, locale: "en-GB" };
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

async function shoot(page: Page, screen: Screen, { size, theme }: Look): Promise<void> {
  await screen.ready?.(page);
  await page.waitForTimeout(SETTLE_MS);
  writeFileSync(join(OUT, `${screen.name}-${size}-${theme}.png`), await page.screenshot());
  if (size !== (screen.docs ?? "wide")) return;
  const { width, height } = SIZES[size];
  const clip = { x: 0, y: 0, width, height: Math.min(height, DOCS_HEIGHT) };
  const name = theme === "light" ? screen.name : `${screen.name}-${theme}`;
  writeFileSync(join(DOCS, `${name}.png`), withPalette(await page.screenshot({ clip })));
}

interface Tour {
  readonly browser: Browser;
  readonly subjects: Subjects;
  readonly look: Look;
  readonly isWanted: (screen: Screen) => boolean;
}

async function tourDesk({ browser, subjects, look, isWanted }: Tour): Promise<void> {
  const page = await openPage(browser, look);
  await page.goto(subjects.deskUrl);
  await signIn(page, subjects.deskToken);
  for (const screen of DESK_SCREENS.filter(isWanted)) {
    const path = screen.pathOf(subjects);
    if (path === null) continue;
    await page.goto(subjects.deskUrl + path);
    await shoot(page, screen, look);
  }
  await page.context().close();
}

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(({ pathname }) => !pathname.endsWith("/open"));
}

/** By one link to the account for most. */
async function tourPortal({ browser, subjects, look, isWanted }: Tour): Promise<void> {
  const account = await openPage(browser, look);
  await openLink(account, await subjects.newLink(subjects.accountId));
  for (const screen of PORTAL_SCREENS.filter(isWanted)) {
    const path = screen.pathOf(subjects);
    if (path === null) continue;
    await account.goto(subjects.apiUrl + path);
    await shoot(account, screen, look);
  }
  await account.context().close();
  for (const screen of LINKED_SCREENS.filter(isWanted)) {
    const order = screen.orderOf(subjects);
    if (order === null) continue;
    const page = await openPage(browser, look);
    const path = screen.pathOf(subjects) ?? "";
    const orders = path === "" ? [order.id] : [];
    await openLink(page, await subjects.newLink(order.account.id, ...orders));
    if (path !== "") await page.goto(subjects.apiUrl + path);
    await shoot(page, screen, look);
    await page.context().close();
  }
}

async function tourDocs({ browser, subjects, look, isWanted }: Tour): Promise<void> {
  const page = await openPage(browser, look);
  for (const screen of DOCS_SCREENS.filter(isWanted)) {
    await page.goto(subjects.apiUrl + (screen.pathOf(subjects) ?? ""));
    await shoot(page, screen, look);
  }
  await page.context().close();
}

async function main(names: readonly string[]): Promise<void> {
  const place = await openHttpPlace(process.env);
  const desk = createClient(`${place.deskUrl}/desk/v1`, place.deskToken);
  const subjects = await readSubjects(place, desk);
  for (const folder of [OUT, DOCS]) mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const isWanted = ({ name }: Screen): boolean => names.length === 0 || names.includes(name);
  try {
    for (const size of Object.keys(SIZES) as Size[]) {
      for (const theme of THEMES) {
        const tour = { browser, subjects, look: { size, theme }, isWanted };
        await tourDesk(tour);
        await tourPortal(tour);
        await tourDocs(tour);
        console.log(`${size}, ${theme}: ${OUT}`);
      }
    }
  } finally {
    await browser.close();
  }
}

await main(process.argv.slice(2));
