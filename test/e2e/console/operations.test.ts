/** @tier all @needs chromium */
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { inConsole, NARROW, WIDE } from "../../support/console/in-console.ts";
import { eventually } from "../../support/eventually.ts";
import { openBrowser } from "../../support/http/browser.ts";
import { call, dataOf } from "../../support/http/call.ts";

const SCREENS = [
  "/accounts",
  "/webhooks",
  "/deliveries",
  "/dead-letters",
  "/health",
  "/team",
  "/audit",
  "/operators",
];

const FILE = crypto.randomUUID();
const NO_ORDER = "00000000-0000-4000-8000-000000000000";

let side: CarrierSide;
let browser: Browser;

beforeAll(async () => {
  [side, browser] = await Promise.all([openCarrierSide({}), openBrowser()]);
});

function desk(method: string, path: string, body?: unknown) {
  const url = `${side.product.deskUrl}/desk/v1${path}`;
  return call(url, { method, key: side.product.deskToken, body });
}

function inDesk(path: string, act: (page: Page) => Promise<void>, viewport = WIDE) {
  const { deskUrl, deskToken: token } = side.product;
  return inConsole({ browser, deskUrl, token, path, viewport }, act);
}

/** A key that messages of no other test have. */
const keyOf = (name: string): string => `${name}-${FILE}`;

async function parkGarbage(key: string, count: number): Promise<void> {
  const value = Buffer.from("this is no message of the bus");
  const messages = Array.from({ length: count }, () => ({ key, value }));
  await side.producer.send({ topic: `${side.product.topicPrefix}carriers.updates`, messages });
  await eventually(async () => {
    const found = await desk("GET", `/dead_letters?key=${key}&state=parked`);
    expect(dataOf(found)).toHaveLength(count);
  });
}

async function lettersIn(state: string, name: string): Promise<number> {
  const path = `/dead_letters?state=${state}&key=${keyOf(name)}`;
  return dataOf(await desk("GET", path)).length;
}

describe("the desk's pages of operation", () => {
  it("say why they are empty", async () => {
    await inDesk(`/dead-letters?state=replayed&key=${keyOf("none")}`, async (page) => {
      await page.getByRole("heading", { name: "No dead letter matches" }).waitFor();
      await page.goto(`${side.product.deskUrl}/audit?action=nothing.happened`);
      await page.getByText("The audit log has no entry for these filters.").waitFor();
    });
  });

  it("discard dead letters by a filter only after a dry run that counts them", async () => {
    await parkGarbage(keyOf("mine"), 3);
    await parkGarbage(keyOf("other"), 2);
    await inDesk(`/dead-letters?key=${keyOf("mine")}`, async (page) => {
      await page.getByRole("button", { name: "Discard all that match" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("3 match").waitFor();
      expect(await lettersIn("parked", "mine")).toBe(3);
      await dialog.getByRole("button", { name: "Discard 3" }).click();
      await page.getByText("3 discarded").waitFor();
    });
    expect(await lettersIn("parked", "other")).toBe(2);
    expect(await lettersIn("discarded", "mine")).toBe(3);
  });

  it("show one dead letter as text and as hex, with what to do about it, and discard it", async () => {
    await parkGarbage(keyOf("one"), 1);
    await inDesk(`/dead-letters?key=${keyOf("one")}`, async (page) => {
      await page.getByRole("button", { name: /^Open undecodable/ }).click();
      const value = page.getByRole("region", { name: "The message's value" });
      await value.getByText("this is no message of the bus").waitFor();
      await page.getByText("Tell the sender, whose receipt names the code").waitFor();
      const bytes = page.getByRole("region", { name: "The message's bytes" });
      expect(await bytes.textContent()).toMatch(
        /^00000000 {2}74 68 69 73 20 .* {2}this is no messa\n/,
      );
      await expectAccessible(page);
      await page.reload();
      await page.getByRole("region", { name: "The message's value" }).waitFor();
      await page.getByRole("button", { name: "Discard", exact: true }).click();
      await page.getByRole("button", { name: "Discard it" }).click();
      await page.getByText("The message is discarded").waitFor();
    });
    expect(await lettersIn("discarded", "one")).toBe(1);
  });

  it("replay and discard those that are selected, and say which were refused", async () => {
    await parkGarbage(keyOf("picked"), 4);
    const found = dataOf(await desk("GET", `/dead_letters?key=${keyOf("picked")}`));
    const [newest = "", second = ""] = found.map(({ id }) => String(id));
    await inDesk(`/dead-letters?key=${keyOf("picked")}`, async (page) => {
      const boxes = page.getByRole("checkbox", { name: /^Select carriers\.updates/ });
      await boxes.nth(0).click();
      await boxes.nth(2).click({ modifiers: ["Shift"] });
      await page.getByText("3 selected").waitFor();
      // Somebody else settles one meanwhile.
      expect((await desk("POST", `/dead_letters/${second}/discard`)).status).toBe(200);
      await page.getByRole("toolbar").getByRole("button", { name: "Discard" }).click();
      await page.getByRole("button", { name: "Discard 3 dead letters" }).click();
      await page.getByText("2 discarded, 1 refused.").waitFor();
      await page.getByText("The dead letter was discarded already.").waitFor();
      await expectAccessible(page);
      await page.getByRole("dialog").locator("footer").getByRole("button").click();
      await page.getByText("1 selected").waitFor();
      await page.getByRole("button", { name: "Clear selection" }).click();
      await page.getByRole("button", { name: new RegExp(`^Open .* ${newest}`) }).waitFor();
      await page.getByLabel("Select all on this page").press("Space");
      await page.getByText("4 selected").waitFor();
    });
    expect(await lettersIn("discarded", "picked")).toBe(3);
    expect(await lettersIn("parked", "picked")).toBe(1);
  });

  it("list what one operator did, and ask for an id once it is whole", async () => {
    await inDesk("/audit", async (page) => {
      const refused: string[] = [];
      page.on("response", (response) => {
        if (response.status() === 422) refused.push(response.url());
      });
      await page.locator("main").getByRole("link", { name: "First operator" }).first().click();
      const operator = page.getByLabel("Operator", { exact: true });
      await operator.locator("option:checked", { hasText: "First operator" }).waitFor({
        state: "attached",
      });
      await operator.selectOption("All operators");
      await page.getByLabel("Order id").pressSequentially(NO_ORDER);
      await page.keyboard.press("Enter");
      await page.getByText("The audit log has no entry for these filters.").waitFor();
      expect(await page.locator("input:focus").inputValue()).toBe(NO_ORDER);
      expect(refused).toEqual([]);
    });
  });

  it("read as sentences, and are filtered by menus of actions and accounts", async () => {
    const name = `Sentence ${FILE.slice(0, 8)}`;
    const made = await desk("POST", "/accounts", { name });
    const id = String(made.body?.["id"]);
    await desk("POST", `/accounts/${id}/suspend`, { reason: "Three unpaid invoices" });
    await inDesk("/audit", async (page) => {
      await page.getByLabel("Account", { exact: true }).selectOption({ label: name });
      const rows = page.locator("tbody tr");
      await eventually(async () => expect(await rows.count()).toBe(2));
      const [first = ""] = await rows.allInnerTexts();
      expect(first).toContain(
        `First operator suspended the account: Three unpaid invoices · ${name}`,
      );
      await page.getByLabel("Action").selectOption({ label: "opened the account" });
      await eventually(async () => expect(await rows.count()).toBe(1));
      await page.reload();
      await rows.getByText(`opened the account · ${name}`).waitFor();
    });
  });

  it("show how the team did in a month by day, and give it as a file", async () => {
    await inDesk("/team", async (page) => {
      await page.getByLabel("Days", { exact: true }).selectOption("The last 30 days");
      const trend = page.getByRole("region", { name: "Closed cases by day or week" });
      await eventually(async () => expect(await trend.locator("tbody tr").count()).toBe(30));
      const saving = page.waitForEvent("download");
      await page.getByRole("link", { name: "Export as CSV" }).press("Enter");
      const content = await text(await (await saving).createReadStream());
      expect(content.trimEnd().split("\r\n")).toHaveLength(31);
      await page.getByLabel("From").fill("2026-01-01");
      await page
        .getByLabel("Days", { exact: true })
        .locator("option:checked", { hasText: "Other days" })
        .waitFor({
          state: "attached",
        });
    });
  });

  it("follow a change from its publication to the customers' webhooks", async () => {
    await inDesk("/health", async (page) => {
      await page
        .getByText(/^The last hour, in messages; at most/)
        .first()
        .waitFor();
      const titles = await page.getByRole("heading", { level: 2 }).allInnerTexts();
      expect(titles.map((title) => title.split(":")[0])).toEqual([
        "1. Published",
        "2. Read",
        "3. Carriers",
        "4. Webhooks",
      ]);
    });
  });

  it("say how many there are, are sorted by a column, and copy an id, all by keys", async () => {
    const mark = FILE.slice(-12);
    const ids: string[] = [];
    for (const name of ["beta", "Alpha"]) {
      const made = await desk("POST", "/accounts", { name: `${name} ${mark}` });
      ids.push(String(made.body?.["id"]));
    }
    await inDesk(`/accounts?q=${mark}`, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByText("2 accounts", { exact: true }).waitFor();
      const names = async () =>
        (await page.locator("tbody [data-row]").allInnerTexts()).map((name) => name.split(" ")[0]);
      const title = page.getByRole("button", { name: "Name" });
      await title.press("Enter");
      await eventually(async () => expect(await names()).toEqual(["Alpha", "beta"]));
      await title.press("Enter");
      await eventually(async () => expect(await names()).toEqual(["beta", "Alpha"]));
      await page.locator("th[aria-sort=descending]", { hasText: "Name" }).waitFor();
      expect(new URL(page.url()).search).toBe(`?q=${mark}&order_by=name&order=desc`);
      await page.reload();
      await eventually(async () => expect(await names()).toEqual(["beta", "Alpha"]));
      const saving = page.waitForEvent("download");
      await page.getByRole("link", { name: "Export as CSV" }).press("Enter");
      const file = await saving;
      expect(file.suggestedFilename()).toBe("accounts.csv");
      const content = await text(await file.createReadStream());
      const [head, ...rows] = content.trimEnd().split("\r\n");
      expect(head).toBe("id,name,status,created_at");
      expect(rows.map((row) => row.split(",")[1])).toEqual([`beta ${mark}`, `Alpha ${mark}`]);
      await page.getByRole("button", { name: `Copy the account’s id ${ids[0]}` }).press("Enter");
      await page.getByText("Copied", { exact: true }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(ids[0]);
    });
  });

  it("suspend an account with a reason, and reinstate it", async () => {
    const made = await desk("POST", "/accounts", { name: "Late Payer" });
    const key = String(made.body?.["api_key"]);
    const ask = () => call(`${side.product.apiUrl}/v2/porting_orders`, { key });
    await inDesk(`/accounts/${String(made.body?.["id"])}`, async (page) => {
      await page.getByRole("button", { name: "Suspend" }).click();
      const dialog = page.getByRole("dialog");
      const confirm = dialog.getByRole("button", { name: "Suspend" });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel("Reason").fill("Three unpaid invoices");
      await confirm.click();
      await page.getByText("Late Payer is suspended").waitFor();
      await page.getByText("Three unpaid invoices").waitFor();
      expect((await ask()).status).toBe(403);
      await page.getByRole("button", { name: "Reinstate" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Reinstate" }).click();
      await page.getByText("Late Payer is reinstated").waitFor();
    });
    expect((await ask()).status).toBe(200);
  });

  it("lead from an account to what it has alone", async () => {
    const made = await desk("POST", "/accounts", { name: "New Customer" });
    const id = String(made.body?.["id"]);
    await inDesk(`/accounts/${id}`, async (page) => {
      for (const [name, empty] of [
        ["Numbers", "No number matches these filters"],
        ["Open port-outs", "No port-out matches these filters"],
      ] as const) {
        const fact = page
          .locator("main dl div")
          .filter({ has: page.getByText(name, { exact: true }) });
        await fact.getByRole("link").click();
        await page.getByRole("heading", { name: empty }).waitFor();
        await page.getByRole("button", { name: "Show all accounts" }).waitFor();
        expect(new URL(page.url()).searchParams.get("account")).toBe(id);
        await page.goBack();
      }
    });
  });

  it.each([WIDE, NARROW])(
    "fit a page of $width pixels and are accessible",
    async (viewport) => {
      const visit = async (page: Page): Promise<void> => {
        for (const path of SCREENS) {
          await page.goto(side.product.deskUrl + path);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.locator("#content [aria-busy]").first().waitFor({ state: "detached" });
          await expectNoSidewaysScroll(page);
          await expectAccessible(page);
        }
      };
      await inDesk("/accounts", visit, viewport);
    },
    180_000,
  );
});
