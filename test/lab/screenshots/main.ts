import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createClient, openHttpPlace } from "../../../infra/demo/demo-client.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { signIn } from "../../support/console/sign-in.ts";
import { launchBrowser } from "../../support/http/browser.ts";
import { DESK_SCREENS, PORTAL_SCREENS, type Screen } from "./screens.ts";
import { readSubjects, type Subjects } from "./subjects.ts";

const OUT = join(projectRoot, ".cache", "screenshots");
const DOCS = join(projectRoot, "docs", "images");
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const THEMES = ["light", "dark"] as const;
/** So that a picture in the documents stays below 150 kB. */
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

/** Screens that the documents show, in one look each. */
async function shoot(page: Page, screen: Screen, { size, theme }: Look): Promise<void> {
  await screen.ready?.(page);
  await page.waitForTimeout(SETTLE_MS);
  const picture = await page.screenshot();
  writeFileSync(join(OUT, `${screen.name}-${size}-${theme}.png`), picture);
  const isDocs =
    size === (screen.docs?.size ?? "wide") && theme === (screen.docs?.theme ?? "light");
  if (screen.docs === undefined || !isDocs) return;
  const { width, height } = SIZES[size];
  const clip = { x: 0, y: 0, width, height: Math.min(height, DOCS_HEIGHT) };
  writeFileSync(join(DOCS, `${screen.name}.png`), await page.screenshot({ clip }));
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

/** A link to the account for most, and one to an order for the end user's page. */
async function tourPortal({ browser, subjects, look, isWanted }: Tour): Promise<void> {
  for (const screen of PORTAL_SCREENS.filter(isWanted)) {
    const path = screen.pathOf(subjects);
    if (path === null) continue;
    const page = await openPage(browser, look);
    await page.goto(await subjects.newLink(screen.orderId?.(subjects) ?? null));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (path !== "") await page.goto(subjects.apiUrl + path);
    await shoot(page, screen, look);
    await page.context().close();
  }
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
        console.log(`${size}, ${theme}: ${OUT}`);
      }
    }
  } finally {
    await browser.close();
  }
}

await main(process.argv.slice(2));
