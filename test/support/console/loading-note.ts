import type { Locator, Page } from "playwright-core";

/** What a page shows while something is on its way. */
export function loadingNote(page: Page): Locator {
  return page.getByRole("status").getByText("Loading…", { exact: true });
}
