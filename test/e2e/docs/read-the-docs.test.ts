/** @tier all @needs chromium */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { SECTIONS, urlOf } from "../../../infra/docs-site/navigation.ts";
import { PAGES_DIR } from "../../../services/platform/http/pages/built-pages.ts";
import { inConsole, NARROW } from "../../support/console/in-console.ts";
import { openBrowser } from "../../support/http/browser.ts";
import { expectWell } from "../../support/portal/in-portal.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const KB = 1_000;
/** One of each kind: a home with a table, long code, generated tables, pictures, an API's lists, its operations. */
const VARIED = [
  "",
  "/guides/quick-start",
  "/guides/errors",
  "/guides/requirements",
  "/desk",
  "/events",
  "/api",
  "/desk-api/reviews",
];
const PLACES = [
  {
    whose: "customers'",
    at: "/docs/api/porting-orders",
    request: "/v2/porting_orders/{id}/submit",
  },
  {
    whose: "desk's",
    at: "/docs/desk-api/reviews",
    request: "/desk/v1/reviews/{order_id}/decision",
  },
];

let product: Product;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  product = await startProduct();
});

/** As one person's browser: fails where a page breaks its policy, asks another host, or throws. */
function read(
  path: string,
  act: (page: Page) => Promise<void>,
  viewport = { width: 1280, height: 800 },
) {
  return inConsole({ browser, deskUrl: product.apiUrl, path, viewport }, act);
}

describe("the docs site", () => {
  it("has every page of its list", async () => {
    const urls = SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => urlOf(file)));
    const home = await (await fetch(`${product.apiUrl}/docs`)).text();
    const shown = urls.filter((url) => home.includes(` href="${url}"`));
    expect(shown.length).toBeGreaterThan(15);
    for (const url of [
      ...shown,
      "/docs/api",
      "/docs/desk-api",
      "/openapi.json",
      "/asyncapi.json",
    ]) {
      expect([url, (await fetch(product.apiUrl + url)).status]).toEqual([url, 200]);
    }
  });

  it.each(VARIED)(
    "can be read by everybody, wide and narrow, light and dark: /docs%s",
    async (path) => {
      await read(`/docs${path}`, async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await expectWell(page);
      });
    },
    240_000,
  );

  it("finds a page by a word with a typing error, and goes to its heading", async () => {
    await read("/docs", async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("rotate secrt");
      const first = page.locator(".search li a").first();
      await first.waitFor();
      expect(await first.textContent()).toContain("Rotate a secret");
      expect(await page.locator(".search mark").count()).toBeGreaterThan(0);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/docs\/guides\/webhooks#rotate-a-secret$/);
      await page.getByRole("searchbox").fill("qqqqqq");
      await page.getByText("Nothing found.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByText("Nothing found.").isVisible()).toBe(false);
    });
  });

  it.each(PLACES)("shows an operation of the $whose API without a script", async (place) => {
    const home = place.whose === "desk's" ? product.deskUrl : product.apiUrl;
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await page.goto(home + place.at);
    await page.getByText(`POST ${place.request}`, { exact: true }).waitFor();
    const tabs = page.locator(".tabs", { hasText: place.request.replace(/\{.*/, "") }).first();
    await tabs.getByText("Python", { exact: true }).click();
    await tabs.getByText(/requests\.(get|post)/).waitFor();
    expect(await tabs.getByText("curl -sS").isVisible()).toBe(false);
    expect(new Set(asked)).toEqual(new Set([home]));
    await context.close();
  });

  it("finds an operation beside the guides, and keeps the language that somebody chose", async () => {
    await read("/docs", async (page) => {
      await page.getByRole("searchbox").fill("sign the letter of authorization");
      await page.locator(".search li a", { hasText: "Letters of authorization" }).first().click();
      await page.waitForURL(/\/docs\/api\/letters-of-authorization#/);
      const first = page.locator(".tabs").first();
      await first.getByRole("radio", { name: "curl" }).focus();
      await page.keyboard.press("ArrowRight");
      const methods = page.getByText(/const answer = await porting\./);
      expect(await methods.count()).toBeGreaterThan(1);
      for (const method of await methods.all()) expect(await method.isVisible()).toBe(true);
      await page.goto(`${product.apiUrl}/docs/api/numbers`);
      await page.getByText(/await porting\.getNumber\(/).waitFor();
    });
  });

  it("answers the first sample of every list as it stands", async () => {
    const page = await (await fetch(`${product.apiUrl}/docs/api`)).text();
    const paths = [...page.matchAll(/<code>GET (\/v2\/[a-z_/]+)<\/code>/g)].map(
      ([, at = ""]) => at,
    );
    expect(paths.length).toBeGreaterThan(8);
    const names = [...page.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, at = ""]) => at);
    const pages = await Promise.all(
      [...new Set(names)].map(async (at) => (await fetch(product.apiUrl + at)).text()),
    );
    for (const path of paths.filter((one) => !one.endsWith("/stream"))) {
      const [, sample] = new RegExp(`\\$API(${path}(?:\\?[^"]*)?)&quot;`).exec(pages.join()) ?? [];
      const url = `${product.apiUrl}${(sample ?? "/not-in-the-reference").replaceAll("&amp;", "&")}`;
      const headers = { authorization: `Bearer ${product.apiKey}` };
      const answer = await fetch(url, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  it.each(["/guides/quick-start", "/api/numbers"])(
    "prints a page's text alone: %s",
    async (path) => {
      await read(`/docs${path}`, async (page) => {
        await page.emulateMedia({ media: "print" });
        await page.getByRole("heading", { level: 1 }).waitFor();
        const hidden =
          ".skip:visible, .bar:visible, .pages:visible, .turn:visible, .code button:visible";
        expect(await page.locator(hidden).count()).toBe(0);
        for (const block of await page.locator(".tabs .code").all()) {
          expect(await block.isVisible()).toBe(true);
        }
      });
    },
  );

  it("copies a block of code", async () => {
    await read("/docs/guides/webhooks", async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const block = page.locator(".code", { hasText: "receiver.mjs" }).first();
      await block.hover();
      await block.getByRole("button", { name: "Copy" }).click();
      await block.getByRole("button", { name: "Copied" }).waitFor();
      const copied: unknown = await page.evaluate("navigator.clipboard.readText()");
      expect(copied).toMatch(/^import \{ createHmac/);
    });
  });

  it("leads from page to page, and keeps the colours that somebody chose", async () => {
    await read("/docs/guides/quick-start", async (page) => {
      await page.getByLabel("Theme").selectOption("dark");
      const turn = page.getByRole("navigation", { name: "Previous and next page" });
      await turn.getByRole("link", { name: "Next Concepts" }).click();
      await page.getByRole("heading", { level: 1, name: "Concepts" }).waitFor();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      await turn.getByRole("link", { name: "Previous Quick start" }).waitFor();
      const headings = page.getByRole("navigation", { name: "On this page" });
      await headings.getByRole("link", { name: "FOC date" }).click();
      await page.waitForURL(/#foc-date$/);
    });
  });

  it("has its list of pages behind a button on a phone", async () => {
    await read(
      "/docs",
      async (page) => {
        const list = page.getByRole("navigation", { name: "Pages" });
        const button = page.getByRole("button", { name: "Pages" });
        expect(await list.isVisible()).toBe(false);
        await button.click();
        expect(await button.getAttribute("aria-expanded")).toBe("true");
        await list.getByRole("link", { name: "Webhooks" }).click();
        await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
      },
      NARROW,
    );
  });

  it("says so where there is no such page", async () => {
    const headers = { accept: "text/html" };
    const answer = await fetch(`${product.apiUrl}/docs/none`, { headers });
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("There is no such page"),
    ]);
    const problem = await fetch(`${product.apiUrl}/docs/none`);
    expect(problem.headers.get("content-type")).toContain("application/problem+json");
  });

  it("asks for little: a script and a style for every page, the search when it is used", () => {
    const assets = join(PAGES_DIR, "docs", "assets");
    const size = (file: string): number => gzipSync(readFileSync(join(assets, file))).length;
    const scripts = readdirSync(assets).filter((file) => file.endsWith(".js"));
    const all = scripts.reduce((sum, file) => sum + size(file), 0);
    expect(all).toBeGreaterThan(2 * KB);
    expect(all).toBeLessThanOrEqual(20 * KB);
    const [index = ""] = readdirSync(assets).filter((file) => file.startsWith("search-"));
    expect(size(index)).toBeLessThanOrEqual(175 * KB);
  });
});
