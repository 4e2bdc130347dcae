import type { Browser, Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "../console/accessibility.ts";
import { inConsole, NARROW, WIDE } from "../console/in-console.ts";
import type { CustomerAccess } from "../orders/fulfil-order.ts";
import { newLink } from "./portal-visitor.ts";

export interface PortalOptions extends CustomerAccess {
  readonly browser: Browser;
  /** Limits the link to an order. */
  readonly orderId?: string;
  /** That the link asks for, by `?lang=`. */
  readonly language?: string;
}

/** Opens the portal by a new link, as one person's browser, with the checks of `inConsole`. */
export async function inPortal(
  { browser, orderId, language, ...access }: PortalOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const body = orderId === undefined ? {} : { order_id: orderId };
  const { url } = await newLink(access, body);
  const asked = language === undefined ? url : url.replace("#", `?lang=${language}#`);
  await atLink({ browser, ...access, url: asked }, async (page) => {
    await page.getByRole("button").click();
    await page.locator("main#content h1, main section h1").first().waitFor();
    await act(page);
  });
}

export interface LinkOptions extends Pick<PortalOptions, "browser" | "apiUrl"> {
  readonly url: string;
}

/** Opens a link without following it. */
export function atLink(
  { browser, apiUrl, url }: LinkOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  return inConsole({ browser, deskUrl: apiUrl, path: url.slice(apiUrl.length) }, act);
}

/** Expects that the page can be used by everybody, wide and narrow, in light and in dark colours. */
export async function expectWell(page: Page): Promise<void> {
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
}
