/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { openBrowser, openPage } from "../../support/http/browser.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

let product: Product;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  product = await startProduct();
});

describe.each([
  { whose: "customers'", at: "/docs/api", path: "/v2/porting_orders/{id}/submit", text: "Submit" },
  { whose: "desk's", at: "/docs", path: "/desk/v1/reviews/{order_id}/decision", text: "Decide" },
])("the $whose page of documentation", ({ whose, at, path, text }) => {
  it("shows an operation in a browser, only from this host and without errors", async () => {
    const home = whose === "desk's" ? product.deskUrl : product.apiUrl;
    const page = await openPage(browser);
    const [asked, faults]: [string[], string[]] = [[], []];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    await page.goto(home + at);
    const row = page.locator(".opblock", { hasText: path });
    await row.locator("button").first().click();
    await row.getByText("Responses", { exact: true }).waitFor();
    expect(await row.textContent()).toContain(text);
    expect(await row.locator("tr.response").count()).toBeGreaterThan(3);
    expect(new Set(asked)).toEqual(new Set([new URL(home).origin]));
    expect(faults).toEqual([]);
    await page.close();
  }, 180_000);
});
