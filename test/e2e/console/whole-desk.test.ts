/** @tier nightly @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { intercept } from "../../support/console/intercept.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { fillReviewQueue } from "../../support/desk/fill-review-queue.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import type { OwnProduct } from "../../support/product/product.ts";

/** How often the page asks once more for what may pass by itself. */
const RETRIES = 2;

/** A desk of the test's own: empty at first, and too full at last. */
let desk: ConsoleDesk<OwnProduct>;

beforeAll(async () => {
  desk = await openConsoleDesk({});
});

function inDesk(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  return inConsole({ ...desk, token: desk.deskToken, path }, act);
}

describe("a new desk", () => {
  it("says why its pages are empty, and what comes next", async () => {
    await inDesk("/port-outs", async (page) => {
      await page.getByRole("heading", { name: "No port-out awaits a decision" }).waitFor();
      await page.goto(`${desk.deskUrl}/numbers?number=%2B13235550999`);
      await page.getByRole("heading", { name: "No number matches these filters" }).waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.goto(`${desk.deskUrl}/carriers`);
      await page.getByText("No order waits for a call.").waitFor();
      await page.goto(`${desk.deskUrl}/webhooks?failing=true`);
      await page.getByText("No webhook endpoint fails.").waitFor();
    });
  });

  it("has an operator added, with a token that is shown once", async () => {
    await inDesk("/operators", async (page) => {
      await page.getByRole("button", { name: "Add an operator" }).click();
      await page.getByLabel("Name").fill("Grace Hopper");
      await page.getByLabel("Role").selectOption("viewer");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("Grace Hopper is added").waitFor();
      await page.getByRole("button", { name: "Issue a token" }).click();
      const token = await page.getByRole("dialog").locator("code").textContent();
      const me = await call(`${desk.deskUrl}/desk/v1/me`, { key: token ?? "" });
      expect(me.body).toMatchObject({ name: "Grace Hopper", role: "viewer" });
      await page.locator("button:focus", { hasText: "Copy" }).waitFor();
      await page.mouse.click(5, 5);
      await page.keyboard.press("Escape");
      const lost = page.getByRole("dialog", { name: "Close it without a copy?" });
      await lost.locator("button:focus", { hasText: "Cancel" }).waitFor();
      await page.keyboard.press("Enter");
      await lost.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "I have kept it" }).click();
      await page.getByText(token ?? "").waitFor({ state: "detached" });
      const access = async () => {
        const { status } = await call(`${desk.deskUrl}/desk/v1/me`, { key: token ?? "" });
        return status;
      };
      await page.getByRole("button", { name: "End access" }).click();
      const asked = page.getByRole("dialog", { name: "End the access of Grace Hopper?" });
      await asked.getByRole("button", { name: "Cancel" }).click();
      expect(await access()).toBe(200);
      await page.getByRole("button", { name: "End access" }).click();
      await asked.getByRole("button", { name: "End access" }).click();
      await page.getByRole("button", { name: "Give access again" }).waitFor();
      expect(await access()).toBe(401);
    });
  });
});

describe("an account", () => {
  it("is renamed, and has a key issued under a name", async () => {
    await inDesk(`/accounts/${desk.account}`, async (page) => {
      await page.getByRole("button", { name: "Rename" }).click();
      const name = `Renamed ${desk.account}`;
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.getByRole("button", { name: "Issue a key" }).click();
      await page.locator("input:focus").waitFor();
      await page.keyboard.type("nightly export");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "A new API key" }).waitFor();
      await page.getByRole("button", { name: "I have kept it" }).click();
      const row = page.getByRole("row").filter({ hasText: "nightly export" });
      await row.getByText("Never").waitFor();
    });
  });
});

describe("a connection that is lost", () => {
  it("is told when the stream is cut, and the page follows again when it is back", async () => {
    const bob = await desk.newOperator("Bob Miller", "lead");
    const orderId = await desk.newCase({ customer_reference: "back again" });
    await inDesk("/reviews?view=all", async (page) => {
      await page.getByRole("row", { name: /back again/ }).waitFor();
      desk.product.supervisor.service("desk").program.kill();
      await page.getByText("The live connection is lost.").waitFor();
      await page.getByText("The live connection is lost.").waitFor({ state: "hidden" });
      const url = `${desk.deskUrl}/desk/v1/reviews/${orderId}/claim`;
      const claimed = await call(url, { method: "POST", key: bob.token, body: {} });
      expect(claimed.status).toBe(200);
      await page
        .getByRole("row", { name: /back again/ })
        .getByText(bob.name)
        .waitFor();
    });
  });

  it("leaves the page as it is while a proxy answers for the service, and follows again after", async () => {
    const orderId = await desk.newCase();
    await inDesk(`/reviews/${orderId}`, async (page) => {
      const note = page.getByLabel("Internal note");
      await note.fill("half a sentence");
      let asked = 0;
      await intercept(page, "**/desk/v1/stream", (route) => route.fulfill({ status: 502 }));
      await intercept(page, "**/desk/v1/me", (route) => {
        asked += 1;
        return route.fulfill({ status: 502 });
      });
      desk.product.supervisor.service("desk").program.kill();
      await page.getByText("The live connection is lost.").waitFor();
      await eventually(() => expect(asked).toBeGreaterThan(RETRIES));
      await page.unroute("**/desk/v1/me");
      await page.unroute("**/desk/v1/stream");
      await page.getByText("The live connection is lost.").waitFor({ state: "hidden" });
      expect(await note.inputValue()).toBe("half a sentence");
    });
  });
});

function rowsAre(count: number): string {
  return `document.querySelectorAll("tbody tr").length === ${count}`;
}

const rowsOf = (page: Page) =>
  page.getByRole("table", { name: "Review cases" }).locator("tbody tr");

describe("a queue of 50,000 cases", () => {
  beforeAll(
    () => fillReviewQueue(desk.product.databaseUrl, { orders: 50_000, openEvery: 1 }),
    300_000,
  );

  it("is counted whole, shown by the page, and searched", async () => {
    await inDesk("/reviews?view=all", async (page) => {
      await untilTrue(page, rowsAre(100));
      const views = page.getByRole("navigation", { name: "Views" });
      await views.getByRole("link", { name: /^All\s*50,00\d$/ }).waitFor();
      const first = await rowsOf(page).first().textContent();
      await page.getByRole("link", { name: "Next 100" }).click();
      await page.waitForURL(/after=/);
      await page.getByText("reference 101", { exact: true }).waitFor();
      await untilTrue(page, rowsAre(100));
      expect(await rowsOf(page).first().textContent()).not.toBe(first);
      await page.getByRole("link", { name: "Next 100" }).click();
      await page.getByText("reference 201", { exact: true }).waitFor();
      await page.goBack();
      await page.getByText("reference 101", { exact: true }).waitFor();
      await page.goBack();
      await page.getByText("reference 1", { exact: true }).waitFor();
      await page.getByLabel("Number, order id, reference or account").fill("reference 33333");
      await page.keyboard.press("Enter");
      await page.getByText("reference 33333", { exact: true }).waitFor();
      await untilTrue(page, rowsAre(1));
    });
  });
});
