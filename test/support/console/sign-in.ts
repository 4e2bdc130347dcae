import type { Page } from "playwright-core";

/** Signs in on the page that asks for it, and waits until the frame of the desk is shown. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Desk" }).waitFor();
}
