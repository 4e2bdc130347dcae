/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page, Response } from "playwright-core";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { intercept } from "../../support/console/intercept.ts";
import { dataOf } from "../../support/http/call.ts";
import { atLink, expectWell, inPortal } from "../../support/portal/in-portal.ts";
import { newLink } from "../../support/portal/portal-visitor.ts";
import { createAccount } from "../../support/product/create-account.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { connectClient } from "../../support/stack/test-client.ts";

let desk: ConsoleDesk;
let orderId: string;

beforeAll(async () => {
  desk = await openConsoleDesk();
  orderId = await desk.newDraft({ customer_reference: "for our records" });
});

const isPost = (response: Response) => response.request().method() === "POST";

/** What a page of another origin on this host is answered, to which the browser sends the same cookie. */
async function statusFromElsewhere(page: Page): Promise<number> {
  const { url } = await startWebhookReceiver();
  const context = await desk.browser.newContext();
  await context.addCookies(await page.context().cookies());
  const foreign = await context.newPage();
  await foreign.goto(url);
  const answered = foreign.waitForResponse(isPost);
  const comments = `${desk.apiUrl}/v2/porting_orders/${orderId}/comments`;
  await foreign.evaluate(
    `fetch("${comments}", { method: "POST", mode: "no-cors", credentials: "include", body: "{}" })`,
  );
  const status = (await answered).status();
  await context.close();
  return status;
}

const open = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

describe("a link to the account", () => {
  it("opens by a click, once, and keeps the person in over a reload", async () => {
    const { url } = await newLink(desk);
    await atLink({ ...desk, url }, async (page) => {
      await expectWell(page);
      await page.reload();
      await open(page);
      await page.getByRole("heading", { name: "Orders" }).waitFor();
      expect(page.url()).not.toContain("nps_link_");
      await page.reload();
      await page.getByRole("link", { name: /\+1212/ }).waitFor();
      await expectWell(page);
    });
    await atLink({ ...desk, url }, async (page) => {
      await open(page);
      await page.getByText("This link was used already").waitFor();
      await expectWell(page);
    });
  });

  it("says that it has expired", async () => {
    const { id, url } = await newLink(desk);
    const database = await connectClient(desk.product.databaseUrl);
    await database.query(
      "update accounts.portal_sessions set expires_at = now() - interval '1 s' where id = $1",
      [id],
    );
    await atLink({ ...desk, url }, async (page) => {
      await open(page);
      await page.getByText("This link has expired").waitFor();
      await expectWell(page);
    });
  });

  it("leads nowhere while the account is suspended", async () => {
    const name = `Suspended in the portal ${crypto.randomUUID()}`;
    const customer = await createAccount(desk, name);
    await inPortal({ ...desk, ...customer }, async (page) => {
      const [account] = dataOf(await desk.desk("GET", `/accounts?q=${encodeURIComponent(name)}`));
      await desk.desk("POST", `/accounts/${String(account?.["id"])}/suspend`, { reason: "A test" });
      await page.reload();
      await page.getByText("The account is suspended").first().waitFor();
      await expectWell(page);
      await desk.desk("POST", `/accounts/${String(account?.["id"])}/reinstate`, {});
      await page.getByRole("button", { name: "Retry" }).click();
      await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
      await expectWell(page);
    });
  });
});

describe("a session in the portal", () => {
  it("obeys our own page alone", async () => {
    await inPortal(desk, async (page) => {
      await page
        .getByRole("link", { name: /\+1212/ })
        .first()
        .click();
      await page.getByLabel("Write to the porting desk").fill("From our own page");
      const comments = /\/comments$/;
      await intercept(page, comments, (route) =>
        route.continue({ headers: { ...route.request().headers(), "portal-csrf": "" } }),
      );
      const unproven = page.waitForResponse(isPost);
      await page.getByRole("button", { name: "Send comment" }).click();
      expect((await unproven).status()).toBe(403);
      await page.unroute(comments);
      expect(await statusFromElsewhere(page)).toBe(403);
      await page.getByRole("button", { name: "Send comment" }).click();
      await page.getByRole("listitem").filter({ hasText: "From our own page" }).waitFor();
      const cookies = await page.context().cookies();
      expect(cookies).toEqual([
        expect.objectContaining({ name: "__Host-portal", httpOnly: true, secure: true, path: "/" }),
      ]);
      await expectWell(page);
    });
  });
});

describe("a link to an order", () => {
  it("shows that order's requirements and letter in plain words, and nothing of the account", async () => {
    await inPortal({ ...desk, orderId }, async (page) => {
      await page.getByRole("heading", { name: "Your latest bill" }).waitFor();
      await page.getByText("It stands on every bill").waitFor();
      await page.getByText("Do not cancel your contract there").waitFor();
      for (const hidden of ["Deliveries", "Endpoints", "Timeline", "for our records"]) {
        expect(await page.getByText(hidden).count()).toBe(0);
      }
      await expectWell(page);
      for (const path of ["/orders", "/deliveries", "/endpoints"]) {
        await page.goto(`${desk.apiUrl}/portal${path}`);
        await page.getByRole("heading", { name: "Move your number" }).waitFor();
      }
      const statuses: unknown = await page.evaluate(`Promise.all([
        "/v2/porting_orders", "/v2/api_keys", "/v2/webhook_endpoints", "/v2/webhook_deliveries",
        "/v2/porting/events", "/v2/numbers", "/v2/portal_sessions",
      ].map((path) => fetch(path).then(({ status }) => status)))`);
      expect(statuses).toEqual(Array(7).fill(404));
    });
  });
});
