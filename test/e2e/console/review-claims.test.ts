/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { approveEach } from "../../support/console/approve-each.ts";
import {
  consoleDeskOf,
  type ConsoleDesk,
  type ConsoleOperator,
} from "../../support/console/console-desk.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { openBrowser } from "../../support/http/browser.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { startQuickProduct } from "../../support/product/shared-products.ts";

/** The quick product's CLAIM_LAPSE. */
const CLAIM_MS = 20_000;
/** Two seconds where the machine is free; less than the 15 s after which a page without a stream asks. */
const LIVE_MS = 10_000;

let desk: ConsoleDesk;
let bob: ConsoleOperator;
let ann: ConsoleOperator;

beforeAll(async () => {
  desk = await consoleDeskOf(await startQuickProduct(), await openBrowser());
  bob = await desk.newOperator("Bob Miller", "lead");
  ann = await desk.newOperator("Ann Reed", "reviewer");
});

async function asBob(orderId: string, act: string, body: unknown = {}): Promise<void> {
  const url = `${desk.deskUrl}/desk/v1/reviews/${orderId}/${act}`;
  const answer = await call(url, { method: "POST", key: bob.token, body });
  expect(answer.status).toBeLessThan(300);
}

/** Ann's browser at a path. */
async function asAnn(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  await inConsole({ ...desk, token: ann.token, path }, act);
}

async function caseOf(orderId: string) {
  return (await desk.desk("GET", `/reviews/${orderId}`)).body;
}

describe("a claim", () => {
  it("is seen in another window as it happens", async () => {
    const orderId = await desk.newCase({ customer_reference: "seen elsewhere" });
    await asAnn(desk.queue(), async (page) => {
      const row = page.getByRole("row", { name: /seen elsewhere/ });
      await row.waitFor();
      await asBob(orderId, "claim");
      await row.getByText(bob.name).waitFor({ timeout: LIVE_MS });
    });
    await asBob(orderId, "release");
  });

  it("of another makes the case read-only, and names who has it", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
      await asBob(orderId, "claim");
      await page.getByText(`${bob.name} has claimed this case`).waitFor();
      expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Take over" }).count()).toBe(0);
    });
    await asBob(orderId, "release");
  });

  it("is refused in words where another was faster", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.queue("mine"), async (page) => {
      // Without its stream the page does not hear of it in time.
      await page.route("**/desk/v1/stream", (route) => route.abort());
      await page.goto(desk.deskUrl + desk.caseAt(orderId));
      const claim = page.getByRole("button", { name: "Claim", exact: true });
      await claim.waitFor();
      await asBob(orderId, "claim");
      await claim.click();
      await page.getByText(`${bob.name} has claimed`).first().waitFor();
    });
    await asBob(orderId, "release");
  });

  it("is taken over by a lead with a reason, which its former holder sees at once", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      const path = desk.caseAt(orderId);
      await inConsole({ ...desk, token: bob.token, path }, async (bobsPage) => {
        await bobsPage.getByRole("button", { name: "Take over" }).click();
        await bobsPage.getByLabel("Why").fill("Ann is at lunch");
        await bobsPage.getByRole("dialog").getByRole("button", { name: "Take over" }).click();
        await bobsPage.getByRole("button", { name: /^Release/ }).waitFor();
      });
      await page.getByText(`${bob.name} has claimed this case`).waitFor();
      await page.getByText(`took it over from ${ann.name}: Ann is at lunch`).waitFor();
    });
    await asBob(orderId, "release");
  });

  it("is given by a lead to a colleague, who sees who assigned it", async () => {
    const orderId = await desk.newCase();
    const path = desk.caseAt(orderId);
    await asAnn(path, async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Assign" }).count()).toBe(0);
      await inConsole({ ...desk, token: bob.token, path }, async (bobsPage) => {
        await bobsPage.getByRole("button", { name: "Assign" }).click();
        await bobsPage.getByLabel("Colleague").selectOption(`${ann.name} (reviewer)`);
        await bobsPage.getByRole("dialog").getByRole("button", { name: "Assign" }).click();
        await bobsPage.getByText(`${ann.name} has claimed this case`).waitFor();
      });
      await page.getByText(`${bob.name} assigned it to ${ann.name}`).waitFor();
      await page.getByRole("button", { name: /^Release/ }).click();
    });
  });

  it("of the next case stays where the decision before it is refused, which is reported there", async () => {
    const orderId = await desk.newCase();
    await desk.newCase();
    await asAnn(desk.queue("mine"), async (page) => {
      // Without its stream the page does not hear of the colleague in time.
      await page.route("**/desk/v1/stream", (route) => route.abort());
      await page.goto(desk.deskUrl + desk.caseAt(orderId));
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await approveEach(page);
      await asBob(orderId, "claim", { take_over: { reason: "Ann is at lunch" } });
      await page.keyboard.press("Control+Enter");
      await page.getByText(`${bob.name} has claimed`).first().waitFor();
      expect(new URL(page.url()).pathname).not.toBe(`/reviews/${orderId}`);
      await page.getByRole("button", { name: "Open the case" }).click();
      await page.getByText(`${bob.name} has claimed this case`).waitFor();
    });
    expect((await caseOf(orderId))?.["state"]).toBe("open");
    await asBob(orderId, "release");
    const url = `${desk.deskUrl}/desk/v1/reviews`;
    for (const { order_id } of dataOf(await call(`${url}?claimed_by=me`, { key: ann.token }))) {
      const released = `${url}/${String(order_id)}/release`;
      expect((await call(released, { method: "POST", key: ann.token })).status).toBe(200);
    }
  });

  it("lapses, of which its holder is notified, and the next verdict takes it again", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      await page.getByText("Your claim has lapsed").waitFor({ timeout: 2 * CLAIM_MS });
      expect((await caseOf(orderId))?.["claimed_by"]).toBeNull();
      await page.keyboard.press("a");
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      expect((await caseOf(orderId))?.["claimed_by"]).toMatchObject({ name: ann.name });
    });
  });

  it("that a lead assigns is told to the colleague, wherever she is, until she opens the case", async () => {
    const orderId = await desk.newCase({ customer_reference: "assigned one" });
    await asAnn("/health", async (page) => {
      const bell = page.getByRole("button", { name: /^What concerns you/ });
      await page.getByRole("button", { name: "What concerns you: 0" }).waitFor();
      await asBob(orderId, "assign", { operator_id: ann.id });
      await page.getByText("Assigned to you").waitFor({ timeout: LIVE_MS });
      await untilTrue(page, `document.title.startsWith("(1) ")`);
      expect(Date.parse(String((await caseOf(orderId))?.["claimed_until"]))).toBeGreaterThan(
        Date.now() + 3_600_000,
      );
      await page.keyboard.press("b");
      await page
        .getByRole("dialog")
        .getByRole("link", { name: /assigned one/ })
        .click();
      await page.getByText(`${bob.name} assigned it to ${ann.name}`).waitFor();
      await bell.and(page.getByLabel("What concerns you: 0")).waitFor();
      await page.getByRole("button", { name: /^Release/ }).click();
    });
  });

  it("is renewed while one works", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      const until = String((await caseOf(orderId))?.["claimed_until"]);
      // Past half of it, however much later than the service the page learned of it.
      const halfway = Date.parse(until) - CLAIM_MS / 4;
      await untilTrue(page, `Date.now() > ${halfway}`);
      const renewed = page.waitForResponse((one) => one.url().endsWith(`/${orderId}/claim`));
      await page.keyboard.press("j");
      expect((await renewed).status()).toBe(200);
      const later = String((await caseOf(orderId))?.["claimed_until"]);
      expect(Date.parse(later)).toBeGreaterThan(Date.parse(until));
    });
  });
});

describe("a case that ends elsewhere", () => {
  it("is withdrawn where it is shown when its customer cancels the order", async () => {
    const orderId = await desk.newCase();
    await asAnn(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.keyboard.press("a");
      await page.getByText(/^1 of/).waitFor();
      const cancelled = await desk.api("POST", `/v2/porting_orders/${orderId}/cancel`, {});
      expect(cancelled.status).toBeLessThan(300);
      await page.getByText(/The customer cancelled this order \d+ s ago/).waitFor();
      expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    });
  });
});

describe("a case that is fetched ahead", () => {
  it("is recorded as seen once, when it is opened, and never where it is not", async () => {
    const openedId = await desk.newCase({ customer_reference: "looked one" });
    const otherId = await desk.newCase({ customer_reference: "looked two" });
    const looksAt = async (orderId: string): Promise<number> => {
      const path = `/audit?action=review.viewed&porting_order_id=${orderId}&limit=250`;
      const looks = dataOf(await desk.desk("GET", path));
      return looks.filter((one) => one["operator_name"] === ann.name).length;
    };
    await asAnn(desk.queue("mine"), async (page) => {
      // The stream stays unanswered: its news have an open case fetched again, and each time is a look.
      await page.route("**/desk/v1/stream", () => undefined);
      const ahead = page.waitForResponse(`**/${otherId}?masked=true`);
      await page.goto(desk.deskUrl + desk.queue("unclaimed", "&q=looked"));
      expect((await ahead).status()).toBe(200);
      expect([await looksAt(openedId), await looksAt(otherId)]).toEqual([0, 0]);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      expect([await looksAt(openedId), await looksAt(otherId)]).toEqual([1, 0]);
    });
    await desk.desk("POST", `/reviews/${openedId}/claim`, { take_over: { reason: "test" } });
    await desk.desk("POST", `/reviews/${openedId}/release`, {});
  });
});
