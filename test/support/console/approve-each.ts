import type { Page } from "playwright-core";

/** Approves the fields of a US order's case one by one, once its document is drawn. */
export async function approveEach(page: Page): Promise<void> {
  await page.locator("[data-page] canvas").first().waitFor();
  for (const approve of await page.getByRole("button", { name: /^Approve (?!all)/ }).all()) {
    await approve.click();
  }
  await page.getByText(/^(\d+) of \1\b/).waitFor();
}
