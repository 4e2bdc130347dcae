import { expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { recordFaults } from "./page-faults.ts";
import { signIn } from "./sign-in.ts";

export interface ConsoleOptions {
  readonly browser: Browser;
  /** The desk's address, without a path. */
  readonly deskUrl: string;
  /** Signs in with it; without one the page is left at `path`. */
  readonly token?: string;
  readonly path?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** The person's, such as `America/Los_Angeles`; the machine's unless given. */
  readonly timezoneId?: string;
}

/** Long enough for a click on a busy machine without a graphics card, and ends before the test, so that it is named. */
const ACTION_MS = 45_000;

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/**
 * Opens the console in a context of its own, as one person's browser, and closes it afterwards.
 * Fails where a page broke its content security policy, asked another host, or threw.
 */
export async function inConsole(
  options: ConsoleOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const { browser, deskUrl, token, path = "/", viewport = WIDE, colorScheme = "light" } = options;
  const { timezoneId } = options;
  const settings: BrowserContextOptions = {
    viewport,
    colorScheme,
    locale: "en-GB",
    ...(timezoneId === undefined ? {} : { timezoneId }),
  };
  const context = await browser.newContext(settings);
  try {
    context.setDefaultTimeout(ACTION_MS);
    const faults = await recordFaults(context, [new URL(deskUrl).origin]);
    const page = await context.newPage();
    await page.goto(deskUrl + path);
    if (token !== undefined) await signIn(page, token);
    await act(page);
    expect(faults.found()).toEqual([]);
  } finally {
    await context.close();
  }
}
