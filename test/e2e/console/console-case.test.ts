/** @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { keyboardOf } from "../../support/console/keys.ts";
import { untilTrue } from "../../support/console/until-true.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { fulfilOrder, uploadDocument } from "../../support/orders/fulfil-order.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let desk: ConsoleDesk;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  desk = await openConsoleDesk();
});

const event = z.object({ id: z.string(), type: z.string(), payload: z.unknown() });
const exception = z.object({
  slug: z.string(),
  code: z.string().nullable(),
  detail: z.string(),
});

/** Shows a case in a page of its own. */
async function onCase(orderId: string, act: (page: Page) => Promise<void>): Promise<void> {
  const path = desk.caseAt(orderId, "&view=all");
  await inConsole({ ...desk, token: desk.deskToken, path }, async (page) => {
    await page.locator("[data-page] canvas").first().waitFor();
    await act(page);
  });
}

function field(page: Page, slug: string) {
  return page.locator(`[data-slug="${slug}"]`);
}

async function statusOf(orderId: string): Promise<unknown> {
  return (await desk.api("GET", `/v2/porting_orders/${orderId}`)).body?.["status"];
}

async function becomes(orderId: string, status: string): Promise<void> {
  await eventually(async () => expect(await statusOf(orderId)).toBe(status));
}

/** Rejects a field with the first reason that fits it. */
async function reject(page: Page, slug: string): Promise<void> {
  await field(page, slug)
    .getByRole("button", { name: /^Reject/ })
    .click();
  await page.getByRole("dialog").getByRole("radio").first().check();
  await page.keyboard.press("Control+Enter");
  await field(page, slug).getByText("Reject, not sent").waitFor();
}

const given = z.object({
  phone_numbers: z.array(z.string()),
  requirements: z.array(
    z.looseObject({ field_type: z.string(), example: z.string().nullish(), slug: z.string() }),
  ),
});

/** A case whose invoice states everything that the desk looks for in it. */
async function newCleanCase(): Promise<string> {
  const orderId = await desk.newDraft();
  await fulfilOrder(desk, orderId);
  const order = given.parse((await desk.api("GET", `/v2/porting_orders/${orderId}`)).body);
  const values = order.requirements
    .filter(({ field_type: type }) => type !== "document")
    .map(({ example }) => example ?? "");
  const content = testPdf([...order.phone_numbers, ...values].join("\n"));
  await uploadDocument(desk, { orderId, slug: "invoice", content });
  await desk.submit(orderId);
  return orderId;
}

/** Opens the invoice, which counts as shown then. */
async function showInvoice(page: Page): Promise<void> {
  await page.keyboard.press("d");
  await page.getByRole("tab", { selected: true, name: /Invoice.*shown/ }).waitFor();
}

/** Frames of a page that has much to draw: what is asked by key is answered by key before the next one. */
const SLOW_FRAMES = `{
  const next = requestAnimationFrame;
  window.requestAnimationFrame = (draw) => setTimeout(() => next(draw), 800);
}`;

describe("a clean US local order", () => {
  it("is approved with at most five keys", async () => {
    const orderId = await newCleanCase();
    await inConsole(
      { ...desk, token: desk.deskToken, path: desk.queue("unclaimed") },
      async (page) => {
        await page.getByRole("table", { name: "Review cases" }).waitFor();
        const keys = keyboardOf(page);
        await keys.press("Enter");
        await page.locator("[data-page] canvas").first().waitFor();
        expect(new URL(page.url()).pathname).toBe(`/reviews/${orderId}`);
        await keys.press("d");
        await page.getByRole("tab", { selected: true, name: /Invoice.*shown/ }).waitFor();
        await keys.press("A");
        await page.getByText(/^7 of 7/).waitFor();
        await keys.press("Control+Enter");
        await page.getByText("Sent to the carrier", { exact: true }).waitFor();
        expect(keys.count()).toBeLessThanOrEqual(5);
        await page.getByText("No free case is left").waitFor();
      },
    );
    await becomes(orderId, "submitted");
  });
});

describe("an invoice that states nothing of the order", () => {
  it("is approved by A only once that was said and confirmed", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      await field(page, "invoice").getByText("Account holder not found").waitFor();
      await page.getByRole("tab", { name: /shown/ }).waitFor();
      await showInvoice(page);
      await page.evaluate(SLOW_FRAMES);
      const decided = page.getByRole("region", { name: "Verdicts" }).locator("strong");
      await page.keyboard.press("A");
      const asked = page.getByRole("dialog");
      await asked.getByText(/\+1\d+ not found, Account holder not found/).waitFor();
      await page.keyboard.press("Enter");
      await asked.waitFor({ state: "detached" });
      expect(await decided.textContent()).toBe("6 of 7");
      await page.keyboard.press("A");
      await asked.getByRole("button", { name: "Approve all the same" }).click();
      await page.getByText(/^7 of 7/).waitFor();
    });
  });
});

describe("a rejection", () => {
  it("is previewed as the API and the webhook show it, and changes the status once", async () => {
    const orderId = await desk.newCase({ webhook_url: `${receiver.url}/reject` });
    let exceptions: unknown[] = [];
    let events: unknown[] = [];
    await onCase(orderId, async (page) => {
      await reject(page, "account_number");
      await field(page, "entity_name")
        .getByRole("button", { name: /^Approve/ })
        .click();
      await field(page, "loa")
        .getByRole("button", { name: /^Reject/ })
        .click();
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("radio", { name: /document_unsigned/ }).check();
      await drawer.getByLabel("What the customer is told").fill("Please sign page 2, too.");
      const preview = drawer.getByRole("region", { name: "Preview" });
      expect(await preview.locator("[data-preview=status]").textContent()).toBe("rejection");
      exceptions = await previewedExceptions(page);
      events = await previewedEvents(page);
      await page.keyboard.press("Control+Enter");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Returned to the customer").waitFor();
    });
    await becomes(orderId, "rejection");
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(z.array(exception).parse(body?.["exceptions"])).toEqual(exceptions);
    const sent = await eventually(() => {
      const all = receiver.received
        .filter(({ path }) => path === "/reject")
        .map(({ body: bytes }) => event.parse(JSON.parse(bytes.toString())));
      const moved = all.filter(({ type }) => type === "porting_order.status_changed");
      if (!moved.some(({ payload }) => isTo(payload, "rejection"))) throw new Error("not yet");
      return Promise.resolve(all);
    });
    const updated = sent.filter(({ type }) => type === "porting_order.requirement_updated");
    const decided = updated.slice(-3).map(({ type, payload }) => ({ type, payload }));
    expect(decided).toEqual(events.slice(0, 3));
    expect(sent.filter(({ payload }) => isTo(payload, "rejection"))).toHaveLength(1);
  });
});

describe("an approved letter", () => {
  it("can be rejected at a later attempt, by key", async () => {
    const orderId = await desk.newCase();
    const { body } = await desk.desk("GET", `/reviews/${orderId}`);
    const underReview = z
      .array(z.looseObject({ slug: z.string(), status: z.string() }))
      .parse(body?.["requirements"])
      .filter(({ status }) => status === "requirement-info-under-review");
    const decisions = underReview.map(({ slug }) =>
      slug === "account_number"
        ? { slug, decision: "reject", reason: "It is another account's." }
        : { slug, decision: "approve" },
    );
    await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions });
    await becomes(orderId, "rejection");
    const accountNumber = `/v2/porting_orders/${orderId}/requirements/account_number`;
    await desk.api("PATCH", accountNumber, { field_value: "8772-114-90211" });
    await desk.submit(orderId);
    await onCase(orderId, async (page) => {
      const letter = field(page, "loa");
      await letter.getByText("Approved", { exact: true }).waitFor();
      await letter.getByText(/^\d+ days? old, of at most 30$/).waitFor();
      expect(await letter.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
      await letter.getByRole("heading").click();
      await page.keyboard.press("r");
      await page.getByRole("dialog").getByRole("radio").first().check();
      await page.keyboard.press("Control+Enter");
      await letter.getByText("Reject, not sent").waitFor();
      await page.keyboard.press("Control+Enter");
      await page.getByText("Returned to the customer").waitFor();
    });
    await becomes(orderId, "rejection");
    const order = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(z.array(exception).parse(order.body?.["exceptions"])).toMatchObject([{ slug: "loa" }]);
  });
});

function isTo(payload: unknown, status: string): boolean {
  return (payload as { readonly new_status?: unknown }).new_status === status;
}

async function previewedExceptions(page: Page): Promise<unknown[]> {
  const rows = page.getByRole("region", { name: "Preview" }).locator("ul > li");
  return Promise.all(
    (await rows.all()).map(async (row) => {
      const [slug = "", code = null] = await row.locator("code").allTextContents();
      return { slug, code, detail: await row.locator("p").textContent() };
    }),
  );
}

async function previewedEvents(page: Page): Promise<unknown[]> {
  const rows = page.getByRole("region", { name: "Preview" }).locator("ol > li");
  return Promise.all(
    (await rows.all()).map(async (row) => ({
      type: await row.locator("code").textContent(),
      payload: JSON.parse((await row.locator("pre").textContent()) ?? "null") as unknown,
    })),
  );
}

describe("the keys", () => {
  it("act on the field of the document that d shows, and u returns to what it takes back", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      await showInvoice(page);
      const current = page.locator("[data-slug][aria-current]");
      expect(await current.getAttribute("data-slug")).toBe("invoice");
      await page.keyboard.press("r");
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("heading", { name: /^Reject: Invoice/ }).waitFor();
      await drawer.getByLabel("What the customer is told").fill("It is another carrier's.");
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      await page.keyboard.press("r");
      const written = drawer.getByLabel("What the customer is told");
      expect(await written.inputValue()).toBe("It is another carrier's.");
      await page.keyboard.press("Control+Enter");
      await field(page, "invoice").getByText("Reject, not sent").waitFor();
      await drawer.waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.id")).toBe("content");
      expect(await current.getAttribute("data-slug")).not.toBe("invoice");
      await page.keyboard.press("u");
      await field(page, "invoice").getByText("Reject, not sent").waitFor({ state: "detached" });
      expect(await current.getAttribute("data-slug")).toBe("invoice");
    });
  });

  it("stay in the search of a document, which Esc ends without leaving the case", async () => {
    const orderId = await newCleanCase();
    await onCase(orderId, async (page) => {
      const search = page.getByLabel("Find in the document");
      await search.fill("Acme Dental");
      await search.press("Enter");
      await page.locator("mark[data-current]").first().waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type(" LLC");
      expect(await search.inputValue()).toBe("Acme Dental LLC");
      await page.keyboard.press("Enter");
      await page.locator("mark[data-current]").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("mark").first().waitFor({ state: "detached" });
      await field(page, "entity_name").getByRole("button", { name: "Acme Dental LLC" }).click();
      await page.locator("mark[data-current]").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("mark").first().waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe(`/reviews/${orderId}`);
    });
  });
});

describe("a draft", () => {
  it("is undone act by act", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("a");
      await page.keyboard.press("A");
      const decided = page.getByRole("region", { name: "Verdicts" }).locator("strong");
      expect(await decided.textContent()).not.toMatch(/^[01] of/);
      await page.keyboard.press("u");
      expect(await decided.textContent()).toBe("1 of 7");
      await page.keyboard.press("u");
      expect(await decided.textContent()).toBe("0 of 7");
      await page.keyboard.down("a");
      await page.keyboard.down("a");
      await page.keyboard.up("a");
      expect(await decided.textContent()).toBe("1 of 7");
      await page.keyboard.press("u");
      expect(await decided.textContent()).toBe("0 of 7");
    });
  });

  it("sends nothing when one leaves, and is there again after a reload", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      await reject(page, "account_number");
      await page.getByLabel("Internal note").fill("Call them back");
      await page.locator("main").focus();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await page.goBack();
      await page.reload();
      await field(page, "account_number").getByText("Reject, not sent").waitFor();
      expect(await page.getByLabel("Internal note").inputValue()).toBe("Call them back");
    });
    const { body } = await desk.desk("GET", `/reviews/${orderId}`);
    expect(body?.["state"]).toBe("open");
    expect(await statusOf(orderId)).toBe("in_review");
  });

  it("leaves out what failed a check and what was not shown, and says so", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      await page.getByRole("tab", { name: /shown/ }).waitFor();
      await page.keyboard.press("A");
      await page.getByText("its document was not shown").waitFor();
      expect(await page.getByRole("button", { name: /^Send to the carrier/ }).isDisabled()).toBe(
        true,
      );
    });
  });
});

/** Approves everything of a clean case, and sends it. */
async function sendClean(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /shown/ }).waitFor();
  await showInvoice(page);
  await page.keyboard.press("A");
  await page.getByText(/^7 of 7/).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Goes to the carrier in 5 seconds").waitFor();
}

describe("a decision that was sent", () => {
  it("is taken back by u for some seconds, with its verdicts, and is sent once", async () => {
    const orderId = await newCleanCase();
    let sent = 0;
    await onCase(orderId, async (page) => {
      page.on("request", (request) => {
        if (request.url().endsWith("/decision")) sent += 1;
      });
      await sendClean(page);
      await untilTrue(page, `location.pathname !== "/reviews/${orderId}"`);
      await page.keyboard.press("u");
      await page.getByText(/^7 of 7 decided – not sent/).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/reviews/${orderId}`);
      expect(sent).toBe(0);
      await page.keyboard.press("Control+Enter");
      await page.getByText("Sent to the carrier", { exact: true }).waitFor();
    });
    expect(sent).toBe(1);
    await becomes(orderId, "submitted");
  });

  it("goes at once where the page is left or reloaded meanwhile", async () => {
    const [left, reloaded] = [await newCleanCase(), await newCleanCase()];
    await onCase(left, async (page) => {
      await sendClean(page);
      await page.goto("about:blank");
      await becomes(left, "submitted");
    });
    await onCase(reloaded, async (page) => {
      await sendClean(page);
      await page.reload();
      await becomes(reloaded, "submitted");
      await untilTrue(page, `document.querySelector("nav") !== null`);
      await untilTrue(page, `sessionStorage.getItem("desk.sending") === null`);
      expect(await page.getByText("The case is no longer open").count()).toBe(0);
    });
  });
});

describe("a case that is open on the screen", () => {
  it("shows what the customer writes meanwhile, and says that it has no answer", async () => {
    const orderId = await desk.newCase();
    await onCase(orderId, async (page) => {
      const body = "Please take the second page.";
      const path = `/v2/porting_orders/${orderId}/comments`;
      expect((await desk.api("POST", path, { body })).status).toBe(201);
      await page.getByText(body).waitFor();
      await page.getByText("and has no answer").waitFor();
      await page.getByRole("button", { name: "Needs no answer" }).click();
      await page.getByText("and has no answer").waitFor({ state: "detached" });
    });
  });
});

describe("a case that comes again", () => {
  it("shows each changed value as it was before and as it is now", async () => {
    const orderId = await desk.newCase();
    const before = { slug: "account_number", decision: "reject", reason: "It is another." };
    await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions: [before] });
    await becomes(orderId, "rejection");
    const path = `/v2/porting_orders/${orderId}/requirements/account_number`;
    expect((await desk.api("PATCH", path, { field_value: "9999-000-11111" })).status).toBe(200);
    await desk.submit(orderId);
    await onCase(orderId, async (page) => {
      const row = field(page, "account_number");
      expect(await row.locator("del").textContent()).toBe("Before: 8772-114-90210");
      await row.getByRole("button", { name: "9999-000-11111" }).waitFor();
      await row.getByText("Changed").waitFor();
      await page.getByText("attempt 2").first().waitFor();
      await page.getByText("account number: It is another.").waitFor();
      await row.getByText("Rejected at attempt 1: It is another.").waitFor();
    });
  });
});
