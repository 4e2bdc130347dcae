/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole, NARROW, WIDE } from "../../support/console/in-console.ts";
import { intercept } from "../../support/console/intercept.ts";
import { untilTrue } from "../../support/console/until-true.ts";

let desk: ConsoleDesk;
/** A reference that no other order has. */
const primus = `primus ${crypto.randomUUID()}`;

beforeAll(async () => {
  desk = await openConsoleDesk();
  await desk.newCase({ customer_reference: primus });
  await desk.newCase({ customer_reference: "second" });
  const third = await desk.newCase({ customer_reference: "third" });
  expect((await desk.desk("POST", `/reviews/${third}/claim`, {})).status).toBe(200);
});

const rows = (page: Page) => page.getByRole("table", { name: "Review cases" }).locator("tbody tr");

async function onQueue(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  await inConsole({ ...desk, token: desk.deskToken, path }, act);
}

describe("the views of the queue", () => {
  it("count what they list", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      for (const view of ["Mine", "Unclaimed", "Overdue", "All"]) {
        const tab = page
          .getByRole("navigation", { name: "Views" })
          .getByRole("link", { name: view });
        const count = Number(/\d+/.exec((await tab.textContent()) ?? "")?.[0]);
        await tab.click();
        await page
          .locator(`[aria-label="Views"] a[aria-current=page]:has-text("${view}")`)
          .waitFor();
        if (count === 0) await page.getByText("No case matches").waitFor();
        else await untilTrue(page, rowsAre(count));
      }
    });
  });

  it("keep their filters over a reload and on the way back", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      await page.getByLabel("Country", { exact: true }).selectOption("US");
      await page.getByLabel("Number, order id, reference or account").fill("second");
      await page.keyboard.press("Enter");
      await untilTrue(page, rowsAre(1));
      const { search } = new URL(page.url());
      expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
        view: "all",
        account_id: desk.account,
        country_code: "US",
        q: "second",
      });
      await page.reload();
      await untilTrue(page, rowsAre(1));
      await page.getByRole("link", { name: /second/ }).click();
      await page.getByRole("heading", { name: "second", level: 1 }).waitFor();
      await page.locator("body").press("Escape");
      await untilTrue(page, rowsAre(1));
      expect(new URL(page.url()).search).toBe(search);
      await page.goBack();
      await page.getByRole("heading", { name: "second", level: 1 }).waitFor();
      await page.goBack();
      await untilTrue(page, rowsAre(1));
      await page.getByRole("button", { name: "Clear" }).click();
      await untilTrue(page, `document.querySelectorAll("tbody tr").length >= 3`);
      expect(new URL(page.url()).search).toBe("?view=all");
    });
  });

  it("show nothing of the former filters where the list cannot be fetched", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      await intercept(page, "**/desk/v1/reviews?*", (route) => route.abort());
      await page.getByLabel("Country", { exact: true }).selectOption("GB");
      await page.getByText("What is shown here may be out of date or missing").waitFor();
      // The note may be about the list before, which was fetched again in the moment before the filter was set.
      await untilTrue(page, rowsAre(0));
      const views = page.getByRole("navigation", { name: "Views" });
      expect(await views.innerText()).not.toMatch(/\d/);
      expect(await views.locator("span:empty").count()).toBe(0);
    });
  });

  it("are saved under a name, for whoever signs in elsewhere", async () => {
    await onQueue(desk.queue("overdue", "&country_code=GB"), async (page) => {
      await page.getByText("No case matches").waitFor();
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByLabel("Name").fill("Late in Britain");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.goto(desk.deskUrl + desk.queue());
      const steps = String(await page.evaluate("history.length"));
      await page.getByLabel("Number, order id, reference or account").click();
      await page.getByRole("heading", { name: "Reviews", level: 1 }).click();
      expect(String(await page.evaluate("history.length"))).toBe(steps);
      await page.getByRole("link", { name: "Late in Britain" }).click();
      await page.getByText("No case matches").waitFor();
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        view: "overdue",
        account_id: desk.account,
        country_code: "GB",
      });
    });
    await onQueue(desk.queue(), async (page) => {
      await page.getByRole("link", { name: "Late in Britain" }).waitFor();
      await page.getByRole("button", { name: "Remove the view Late in Britain" }).press("Enter");
      await page.getByRole("link", { name: "Late in Britain" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "Late in Britain" }).waitFor();
    });
  });

  it("never move their rows: what is new waits for a click", async () => {
    await onQueue(desk.queue(), async (page) => {
      await untilTrue(page, rowsAre(3));
      await desk.newCase({ customer_reference: "fourth" });
      const news = page.getByRole("button", { name: "1 new – show" });
      await news.waitFor();
      expect(await rows(page).count()).toBe(3);
      await news.click();
      await untilTrue(page, rowsAre(4));
      await page.getByRole("row", { name: /fourth/ }).waitFor();
    });
  });

  it("lead from one of the operator's own cases to the next of them, which stay claimed", async () => {
    const { token } = await desk.newOperator("Mina", "reviewer");
    const mina = { ...desk, token, path: desk.queue("mine") };
    const theirs = [await desk.newCase({ customer_reference: "mine one" })];
    theirs.push(await desk.newCase({ customer_reference: "mine two" }));
    await inConsole({ ...mina, path: desk.queue("unclaimed") }, async (page) => {
      for (const name of ["mine one", "mine two"]) {
        await page.getByRole("link", { name }).click();
        await page.getByRole("heading", { name, level: 1 }).waitFor();
        await page.getByText("Claimed by you").waitFor();
        await page.keyboard.press("Escape");
      }
    });
    await inConsole(mina, async (page) => {
      await untilTrue(page, rowsAre(2));
      await page.getByRole("button", { name: "Next case" }).click();
      await page.getByRole("heading", { name: "mine one", level: 1 }).waitFor();
      await page.keyboard.press("e");
      await page.getByRole("heading", { name: "mine two", level: 1 }).waitFor();
      expect(new URL(page.url()).searchParams.get("view")).toBe("mine");
      await rejectFirstField(page);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("heading", { name: "mine one", level: 1 }).waitFor();
    });
    const { body } = await desk.desk("GET", `/reviews?claimed_by=none&account_id=${desk.account}`);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(theirs.join("|")));
  });
});

/** Rejects the first field of a case with the first reason that fits it. */
async function rejectFirstField(page: Page): Promise<void> {
  await page
    .locator("[data-slug]")
    .first()
    .getByRole("button", { name: /^Reject/ })
    .click();
  await page.getByRole("dialog").getByRole("radio").first().check();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Reject, not sent").waitFor();
}

function rowsAre(count: number): string {
  return `document.querySelectorAll("tbody tr").length === ${count}`;
}

describe("the keys", () => {
  it("are silent in inputs, in dialogs and with Ctrl", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      const search = page.getByLabel("Number, order id, reference or account");
      await search.pressSequentially("?jgq");
      expect(await search.inputValue()).toBe("?jgq");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await search.fill("");
      await search.press("Escape");
      const current = page.locator("tr[aria-current]");
      const first = await current.textContent();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await current.textContent()).toBe(first);
      await page.keyboard.press("Control+j");
      expect(await current.textContent()).toBe(first);
      await page.keyboard.press("j");
      expect(await current.textContent()).not.toBe(first);
    });
  });

  it("open the row that they moved to, after a dialog and after a click on a view", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByLabel("Name").fill("Everything");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Everything" }).waitFor();
      await untilTrue(page, `document.activeElement?.id === "content"`);
      const openNext = async (view: string, downs: number): Promise<void> => {
        for (let n = 0; n < downs; n += 1) await page.keyboard.press("j");
        const reference = await rows(page).nth(downs).locator("a span").textContent();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: reference ?? "", level: 1 }).waitFor();
        await page.keyboard.press("Escape");
        await rows(page).first().waitFor();
        await page.getByRole("navigation", { name: "Views" }).getByText(view).click();
      };
      await openNext("All", 2);
      await openNext("All", 1);
    });
  });

  it("have buttons for search, palette and help, and the palette finds people, accounts and actions", async () => {
    const name = `Palette ${crypto.randomUUID().slice(-12)}`;
    await desk.desk("POST", "/accounts", { name });
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      const header = page.getByRole("navigation", { name: "Desk" });
      await header.getByRole("button", { name: "Keys" }).click();
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      const goTo = header.getByRole("button", { name: "Go to" });
      const find = async (typed: string, option: string | RegExp): Promise<void> => {
        await goTo.click();
        const palette = page.getByRole("dialog", { name: "Go to" });
        await palette.getByRole("combobox").fill(typed);
        await palette.getByRole("option", { name: option }).click();
        await palette.waitFor({ state: "hidden" });
      };
      await find(name.slice(0, 12), name);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await find("first oper", /First operator/);
      await page.waitForURL("**/audit?operator_id=*");
      await find("create an acc", /Create an account/);
      await page.getByRole("dialog", { name: "Create an account" }).waitFor();
      await page.keyboard.press("Escape");
      await find("dark", /dark theme/);
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      await header.getByRole("button", { name: "Search" }).press("Enter");
      await page.waitForURL("**/orders");
      await page.locator("input[data-search]:focus").waitFor();
    });
  });

  it("are listed by the help, and the palette goes to screens and orders", async () => {
    await onQueue(desk.queue(), async (page) => {
      await rows(page).first().waitFor();
      await page.keyboard.press("?");
      const help = page.getByRole("dialog", { name: "Keys" });
      for (const does of ["Reject the field", "Go to Reviews", "Rotate", "Search"]) {
        await help.getByText(does, { exact: true }).waitFor();
      }
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Go to" });
      await palette.getByRole("combobox").fill(primus);
      await palette.getByRole("option", { name: /primus/ }).waitFor();
      await palette.getByRole("combobox").fill("aud");
      await palette.getByRole("option", { name: /Audit/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/audit");
    });
  });
});

/** Every look at the cases' sensitive values that is recorded. */
async function looksAt(orderIds: readonly string[]): Promise<unknown[]> {
  const looks = orderIds.map((id) =>
    desk.desk("GET", `/audit?porting_order_id=${id}&action=review.viewed`),
  );
  return (await Promise.all(looks)).map(({ body }) => body);
}

describe("several cases", () => {
  it("are selected by keys and assigned to a colleague, which is no look at them", async () => {
    const mark = `several ${crypto.randomUUID()}`;
    const ids: string[] = [];
    for (const name of ["one", "two"]) {
      ids.push(await desk.newCase({ customer_reference: `${mark} ${name}` }));
    }
    const rita = await desk.newOperator("Rita", "reviewer");
    const looks = await looksAt(ids);
    await onQueue(desk.queue("all", `&q=${encodeURIComponent(mark)}`), async (page) => {
      await untilTrue(page, rowsAre(2));
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      await page.keyboard.press("k");
      await page.keyboard.press("Shift+Space");
      await page.getByText("2 selected").waitFor();
      await page.getByRole("toolbar").getByRole("button", { name: "Assign" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Assign 2 cases" });
      await dialog.getByLabel("Colleague").selectOption({ label: `${rita.name} (reviewer)` });
      await dialog.getByRole("button", { name: "Assign" }).press("Enter");
      await page.getByText("2 cases assigned").waitFor();
      await untilTrue(
        page,
        `document.querySelector("table").innerText.split(${JSON.stringify(rita.name)}).length === 3`,
      );
      await page.getByLabel("Select all on this page").press("Space");
      await page.getByRole("toolbar").getByRole("button", { name: "Release" }).press("Enter");
      await page.getByText("0 released, 2 refused.").waitFor();
    });
    expect(await looksAt(ids)).toEqual(looks);
  });
});

describe("Tab alone", () => {
  it("reaches a case, a verdict and its reason, and comes back from the drawer", async () => {
    await onQueue(desk.queue("all", "&q=primus"), async (page) => {
      await untilTrue(page, rowsAre(1));
      await tabTo(page, /primus/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "primus", level: 1 }).waitFor();
      await page.locator("[data-page] canvas").first().waitFor();
      await tabTo(page, /^Reject /);
      await page.keyboard.press("Enter");
      const drawer = page.getByRole("dialog");
      await untilTrue(page, `document.activeElement?.matches("input[type=radio]")`);
      await page.keyboard.press("Space");
      await tabTo(page, /^Reject/);
      await page.keyboard.press("Enter");
      await drawer.waitFor({ state: "hidden" });
      await page.getByText("Reject, not sent").waitFor();
      await untilTrue(page, `document.activeElement !== document.body`);
    });
  });
});

const MOST_TABS = 80;

/** Presses Tab until what has the focus reads so. */
async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let n = 0; n < MOST_TABS; n += 1) {
    await page.keyboard.press("Tab");
    const focused = String(await page.evaluate("document.activeElement?.textContent ?? ''"));
    const isSmall = focused.length < 200;
    if (isSmall && text.test(focused.trim())) return;
  }
  throw new Error(`Tab reaches nothing that reads ${String(text)}`);
}

describe("the pages of reviews", () => {
  it.each([
    ["wide", WIDE],
    ["narrow", NARROW],
  ] as const)(
    "are accessible, and scroll in one direction, where the page is %s",
    async (_w, viewport) => {
      const options = { ...desk, token: desk.deskToken, viewport, path: desk.queue() };
      await inConsole(options, async (page) => {
        await rows(page).first().waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await page.getByRole("link", { name: /second/ }).click();
        await page.locator("[data-page] canvas").first().waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await page.getByRole("button", { name: /^Reject Account number/ }).click();
        await page.getByRole("dialog").getByRole("radio").first().check();
        await page.getByRole("region", { name: "Preview" }).waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      });
    },
  );
});
