/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { approveEach } from "../../support/console/approve-each.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { intercept } from "../../support/console/intercept.ts";

let desk: ConsoleDesk;
let annsToken: string;

beforeAll(async () => {
  desk = await openConsoleDesk();
  ({ token: annsToken } = await desk.newOperator("Ann Reed", "reviewer"));
});

/** Ann's browser at a path. */
async function asAnn(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  await inConsole({ ...desk, token: annsToken, path }, act);
}

async function caseOf(orderId: string) {
  return (await desk.desk("GET", `/reviews/${orderId}`)).body;
}

describe("a connection that is lost", () => {
  it("costs no more than the document where the code of its viewer cannot be fetched", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.queue(), async (page) => {
      await page.route("**/assets/pdf-view-*.js", (route) => route.abort());
      await page.goto(desk.deskUrl + desk.caseAt(orderId));
      const note = page.getByLabel("Internal note");
      await note.fill("half a sentence");
      await page.getByText("Failed to fetch dynamically imported module").waitFor();
      await page.unroute("**/assets/pdf-view-*.js");
      await page.getByRole("button", { name: "Retry" }).click();
      await page.locator("canvas").first().waitFor();
      expect(await note.inputValue()).toBe("half a sentence");
    });
  });

  it("leaves keys what they open, and the palette says that it found no orders for want of it", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      const note = page.getByLabel("Internal note");
      await note.fill("half a sentence");
      await note.blur();
      await page.context().setOffline(true);
      await page.keyboard.press("?");
      // A toast is a dialog too.
      const help = page.getByRole("dialog", { name: "Keys" });
      await help.waitFor();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "hidden" });
      await page.keyboard.press("Control+k");
      // On the page behind it, these keys would approve a field and skip the case.
      await page.keyboard.type("ae-17");
      const palette = page.getByRole("dialog", { name: "Go to" });
      expect(await palette.getByRole("combobox").inputValue()).toBe("ae-17");
      await palette.getByText("The orders were not searched.").waitFor();
      expect(await palette.getByText("Nothing found.").count()).toBe(0);
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "hidden" });
      await page.getByText(/^0 of 7/).waitFor();
      expect(await note.inputValue()).toBe("half a sentence");
    });
  });

  it("fails a skip at once, so that it does not happen after all when the connection is back", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: /^Skip/ }).waitFor();
      let asked = 0;
      await intercept(page, "**/desk/v1/reviews?*", (route) => {
        asked += 1;
        return route.abort();
      });
      await page.keyboard.press("e");
      await page.getByText("The service cannot be reached.").first().waitFor();
      expect(asked).toBe(1);
    });
  });

  it("does not lead away from where the operator has gone before a skip was answered", async () => {
    const orderId = await desk.newCase();
    const otherId = await desk.newCase({ customer_reference: "skipped to" });
    await asAnn(desk.caseAt(orderId, "&q=skipped"), async (page) => {
      await page.getByRole("button", { name: /^Skip/ }).waitFor();
      let answer: () => void = () => undefined;
      const isLeft = new Promise<void>((resolve) => (answer = resolve));
      const asked = page.waitForRequest(`**/${otherId}/claim`);
      await intercept(page, `**/${otherId}/claim`, async (route) => {
        await isLeft;
        await route.continue();
      });
      await page.keyboard.press("e");
      await asked;
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Reviews" }).waitFor();
      const released = page.waitForResponse(`**/${otherId}/release`);
      answer();
      expect((await released).status()).toBe(200);
      expect(new URL(page.url()).pathname).toBe("/reviews");
    });
    expect((await caseOf(otherId))?.["claimed_by"]).toBeNull();
  });

  it("loses no verdict while the service is away", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await approveEach(page);
      await page.context().setOffline(true);
      await page.keyboard.press("Control+Enter");
      await page.getByText("The service cannot be reached.").first().waitFor();
      await page.getByText(/^7 of 7/).waitFor();
      await page.context().setOffline(false);
      await page.keyboard.press("Control+Enter");
      await page.getByText("Sent to the carrier", { exact: true }).waitFor();
    });
    expect((await caseOf(orderId))?.["state"]).toBe("decided");
  });
});
