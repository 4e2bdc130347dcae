/** @tier nightly @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { expectAccessible } from "../../support/console/accessibility.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { holdAnswer } from "../../support/console/held-answer.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { loadingNote } from "../../support/console/loading-note.ts";
import { untilTrue } from "../../support/console/until-true.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

async function onPage(
  path: string,
  act: (page: Page) => Promise<void>,
  token = desk.deskToken,
): Promise<void> {
  await inConsole({ ...desk, token, path }, act);
}

/** The page of the account's orders. */
const orders = (): string => `/orders?account=${desk.account}`;

/** Records from now on what a screen reader is given to read out of the page's loading. */
const LISTEN = `globalThis.said = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const { textContent } of addedNodes) said.push(textContent);
}).observe(document.querySelector("#root > [role=status]"), { childList: true });`;

/** Opens a page of the desk again while some of its files are held back; `act` is given what lets them pass. */
async function withHeldFiles(
  page: Page,
  { path, files }: { readonly path: string; readonly files: RegExp },
  act: (pass: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const held: Route[] = [];
  let isHeld = true;
  await page.route(files, (route) => (isHeld ? void held.push(route) : route.fallback()));
  await page.goto(desk.deskUrl + path, { waitUntil: "commit" });
  await act(async () => {
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
  });
}

describe("a page whose answers take long", () => {
  it("says so once, whatever it waits for, and leaves the focus where it is", async () => {
    await onPage("/orders", async (page) => {
      await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
      await loadingNote(page).waitFor({ state: "detached" });
      await page.evaluate(`${LISTEN};0`);
      const answers = await holdAnswer(page, "GET", "**/desk/v1/*");
      await page.getByRole("link", { name: "Carriers" }).click();
      await answers.asked();
      await loadingNote(page).waitFor();
      await page.locator("#content [aria-busy]").first().waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Carriers");
      await expectAccessible(page);
      await answers.pass();
      await page.locator("#content [aria-busy]").first().waitFor({ state: "detached" });
      await loadingNote(page).waitFor({ state: "detached" });
      expect(await page.evaluate("said")).toEqual(["Loading…"]);
    });
  });

  it("shows lines in the colours of no surface, which stand still where motion is to be reduced", async () => {
    await onPage("/reviews", async (page) => {
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await page.emulateMedia({ reducedMotion: "reduce" });
      const answer = await holdAnswer(page, "GET", "**/desk/v1/statistics*");
      await page.getByRole("link", { name: "Team" }).click();
      await answer.asked();
      await loadingNote(page).waitFor();
      await untilTrue(
        page,
        "document.getAnimations().every(({ effect }) => effect.getComputedTiming().iterations === 1)",
      );
      await untilTrue(
        page,
        `(() => {
          const line = document.querySelector("#content [aria-busy] [aria-hidden]");
          const probe = document.body.appendChild(document.createElement("i"));
          const colour = (name) => {
            probe.style.color = \`var(\${name})\`;
            return getComputedStyle(probe).color;
          };
          const own = getComputedStyle(line).backgroundColor;
          const is = ["--page", "--surface", "--surface-raised", "--surface-sunken"].every((name) => colour(name) !== own);
          probe.remove();
          return is;
        })()`,
      );
      await answer.pass();
      await page.getByRole("heading", { name: "Team", level: 1 }).waitFor();
    });
  });

  it("is no longer said to load once the person has gone elsewhere, and what it asked is cancelled", async () => {
    await onPage("/orders", async (page) => {
      await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
      const answer = await holdAnswer(page, "GET", "**/desk/v1/statistics*");
      await page.getByRole("link", { name: "Team" }).click();
      await answer.asked();
      await loadingNote(page).waitFor();
      const cancelled = page.waitForEvent("requestfailed", (asked) =>
        asked.url().includes("/statistics"),
      );
      await page.getByRole("link", { name: "Orders" }).click();
      await cancelled;
      await loadingNote(page).waitFor({ state: "detached" });
      await answer.lose();
    });
  });

  it("keeps the rows before until those of another filter have come", async () => {
    const reference = "kept while it loads";
    await desk.newDraft({ customer_reference: reference });
    await onPage(orders(), async (page) => {
      const row = page.getByRole("row", { name: new RegExp(reference) });
      await row.waitFor();
      const answer = await holdAnswer(page, "GET", "**/desk/v1/orders?*");
      await page.getByLabel("Status").selectOption("completed");
      await loadingNote(page).waitFor();
      expect(await row.count()).toBe(1);
      await answer.pass();
      await page.getByText("No order matches these filters").waitFor();
      await loadingNote(page).waitFor({ state: "detached" });
    });
  });
});

describe("a list that was empty", () => {
  it("is not said to be so of other filters before they are answered", async () => {
    await desk.newDraft();
    await onPage(`${orders()}&status=completed`, async (page) => {
      await page.getByText("No order matches these filters").waitFor();
      const answer = await holdAnswer(page, "GET", "**/desk/v1/orders?*");
      await page.getByLabel("Status").selectOption("cancelled");
      await answer.asked();
      await loadingNote(page).waitFor();
      expect(await page.getByText("No order matches these filters").count()).toBe(0);
      await answer.pass();
      await page.getByText("No order matches these filters").waitFor();
    });
  });

  it("is not said to be so of another view of the queue", async () => {
    await desk.newCase({ customer_reference: "waits in the queue" });
    const { token } = await desk.newOperator("Newcomer", "reviewer");
    const act = async (page: Page): Promise<void> => {
      await page.getByRole("heading", { name: "No case matches" }).waitFor();
      const answer = await holdAnswer(page, "GET", "**/desk/v1/reviews?*");
      await page.getByRole("link", { name: /^All/ }).click();
      await answer.asked();
      await loadingNote(page).waitFor();
      expect(await page.getByRole("heading", { name: "No case matches" }).count()).toBe(0);
      await answer.pass();
      await page.getByRole("row", { name: /waits in the queue/ }).waitFor();
    };
    await onPage(desk.queue("mine"), act, token);
  });

  it("is not said to be so of an order's notes", async () => {
    const orderId = await desk.newDraft();
    const written = await desk.desk("POST", `/orders/${orderId}/notes`, {
      body: "Asked by phone.",
    });
    expect(written.status).toBe(201);
    await onPage(orders(), async (page) => {
      const timeline = await holdAnswer(page, "GET", "**/timeline?*");
      await page.locator(`a[href="/orders/${orderId}"]`).first().click();
      await timeline.asked();
      await page.getByRole("heading", { name: "Comments and notes" }).waitFor();
      await loadingNote(page).waitFor();
      expect(await page.getByText("Nobody has written anything yet.").count()).toBe(0);
      await timeline.pass();
      await page.getByText("Asked by phone.").first().waitFor();
    });
  });
});

describe("code that takes long", () => {
  it("of the desk itself is said to load by its page", async () => {
    await onPage("/orders", async (page) => {
      await withHeldFiles(
        page,
        { path: "/orders", files: /assets\/desk-[^/]*\.js/ },
        async (pass) => {
          const opening = page.locator(".opening");
          await untilTrue(
            page,
            `document.querySelector(".opening").getAnimations().some(({ playState }) => playState === "finished")`,
          );
          expect(await opening.isVisible()).toBe(true);
          await pass();
          await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
          await opening.waitFor({ state: "hidden" });
        },
      );
    });
  });

  it("of a screen is said to load in the desk's frame", async () => {
    await onPage("/orders", async (page) => {
      await withHeldFiles(
        page,
        { path: "/orders", files: /orders-page-[^/]*\.js/ },
        async (pass) => {
          await page.getByRole("navigation", { name: "Desk" }).waitFor();
          await loadingNote(page).waitFor();
          expect(await page.getByRole("heading", { name: "Orders", level: 1 }).count()).toBe(0);
          await pass();
          await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
          await loadingNote(page).waitFor({ state: "detached" });
        },
      );
    });
  });
});
