import type { Page, Route } from "playwright-core";
import { untilTrue } from "./until-true.ts";

/** Nothing that a page of ours asks for. */
const PROBE = "/asked-by-the-test";

/**
 * `page.route` for a page that is open already. The browser intercepts at once, but its renderer learns of it behind the
 * work that it has, and keys overtake that: what the page asks for until then goes past the route. Returns once what
 * the page asks for comes by.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<void> {
  await page.route(url, handle);
  await page.route(`**${PROBE}`, (route) => route.fulfill({ status: 204 }));
  await untilTrue(page, `fetch("${PROBE}").then(({ status }) => status === 204)`);
  await page.unroute(`**${PROBE}`);
}
