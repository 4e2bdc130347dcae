/** @tier nightly @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { approveEach } from "../../support/console/approve-each.ts";
import { newSentOrder } from "../../support/console/carried-order.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { holdAnswer } from "../../support/console/held-answer.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { dataOf } from "../../support/http/call.ts";

const UNREACHABLE = "The service cannot be reached.";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

async function onPage(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  await inConsole({ ...desk, token: desk.deskToken, path }, act);
}

async function commentsOn(orderId: string): Promise<unknown[]> {
  const comments = await desk.api("GET", `/v2/porting_orders/${orderId}/comments`);
  return dataOf(comments).map(({ body }) => body);
}

/** Writes a comment in the dialog of an order's page, and sends it. */
async function sendComment(page: Page, text: string) {
  await page.getByRole("button", { name: /^Comment to the customer/ }).click();
  const dialog = page.getByRole("dialog", { name: "Comment to the customer" });
  await dialog.getByLabel("Comment").fill(text);
  await page.keyboard.press("Control+Enter");
  return dialog;
}

describe("a comment on a slow connection", () => {
  it("leaves no draft behind where its dialog was closed before it was sent", async () => {
    const orderId = await desk.newDraft();
    await onPage(`/orders/${orderId}`, async (page) => {
      const sending = await holdAnswer(page, "POST", "**/comments");
      const dialog = await sendComment(page, "Please send page 2.");
      await sending.asked();
      await dialog.getByRole("button", { name: "Keep as a draft" }).click();
      await page.getByRole("button", { name: "Comment to the customer (draft)" }).waitFor();
      await sending.pass();
      await page.getByText("The comment was sent to the customer").waitFor();
      await page.getByRole("button", { name: "Comment to the customer", exact: true }).click();
      expect(await dialog.getByLabel("Comment").inputValue()).toBe("");
    });
    expect(await commentsOn(orderId)).toEqual(["Please send page 2."]);
  });

  it("is sent once, though its answer is lost and its dialog opened again", async () => {
    const orderId = await desk.newDraft();
    await onPage(`/orders/${orderId}`, async (page) => {
      const sending = await holdAnswer(page, "POST", "**/comments");
      const dialog = await sendComment(page, "Please send page 3.");
      await sending.loseAnswers();
      await dialog.getByText(UNREACHABLE).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Comment to the customer (draft)" }).click();
      await dialog.getByRole("button", { name: "Send to the customer" }).click();
      await dialog.waitFor({ state: "hidden" });
    });
    expect(await commentsOn(orderId)).toEqual(["Please send page 3."]);
  });

  it("leaves what was written while it was on its way", async () => {
    const orderId = await desk.newCase();
    await onPage(desk.caseAt(orderId), async (page) => {
      const note = page.getByLabel("Internal note");
      await note.fill("Called them.");
      const sending = await holdAnswer(page, "POST", "**/notes");
      await page.keyboard.press("Control+Enter");
      await sending.asked();
      await page.keyboard.type(" They call back.");
      await sending.pass();
      await page.getByRole("listitem").getByText("Called them.", { exact: true }).waitFor();
      expect(await note.inputValue()).toBe("They call back.");
    });
  });
});

describe("a carrier update on a slow connection", () => {
  it("leaves no draft behind where its drawer was closed before it was recorded", async () => {
    const orderId = await newSentOrder(desk);
    await onPage(`/orders/${orderId}`, async (page) => {
      await page.getByRole("button", { name: "Carrier update" }).click();
      await page.getByLabel("What did the carrier say?").selectOption("acknowledged");
      await page.getByLabel("The carrier’s own word").fill("Received");
      await page.getByRole("button", { name: "Show what it does" }).click();
      await page.getByText(/^This moves the order to In process/).waitFor();
      const recording = await holdAnswer(page, "POST", "**/carrier_updates");
      await page.getByRole("button", { name: "Record update" }).click();
      await recording.asked();
      await page.getByLabel("The carrier’s own word").and(page.locator(":disabled")).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Carrier update (draft)" }).waitFor();
      await recording.pass();
      await page.getByText("The carrier update was recorded").waitFor();
      await page.getByRole("button", { name: /^Carrier update(?! \(draft\))/ }).waitFor();
    });
  });
});

describe("the renewal of a claim", () => {
  it("is tried again with a later key where the first is lost", async () => {
    const orderId = await desk.newCase();
    await onPage(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      const { body } = await desk.desk("GET", `/reviews/${orderId}`);
      const until = Date.parse(String(body?.["claimed_until"]));
      const renewal = await holdAnswer(page, "POST", "**/claim");
      await page.clock.setFixedTime(until - 60_000);
      await page.keyboard.press("j");
      await renewal.lose();
      await page.getByText(UNREACHABLE).first().waitFor();
      const renewed = page.waitForResponse((one) => one.url().endsWith("/claim"));
      await page.clock.setFixedTime(until - 50_000);
      await page.keyboard.press("j");
      expect((await renewed).status()).toBe(200);
    });
    await desk.desk("POST", `/reviews/${orderId}/release`, {});
  });
});

describe("what fails after one has gone elsewhere", () => {
  it("is reported there: a claim that was not released", async () => {
    const orderId = await desk.newCase();
    await onPage(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: /^Release/ }).waitFor();
      const releasing = await holdAnswer(page, "POST", "**/release");
      await page.keyboard.press("x");
      await releasing.asked();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await releasing.lose();
      await page.getByText(UNREACHABLE).first().waitFor();
    });
    await desk.desk("POST", `/reviews/${orderId}/release`, {});
  });

  it("is reported there: an order that was not closed", async () => {
    const orderId = await desk.newDraft();
    await onPage(`/orders/${orderId}`, async (page) => {
      await page.getByRole("button", { name: "Close order" }).click();
      const dialog = page.getByRole("dialog", { name: "Close the order" });
      await dialog.getByLabel("Reason for the customer").fill("You asked us by phone.");
      const closing = await holdAnswer(page, "POST", "**/close");
      await dialog.getByRole("button", { name: "Close order" }).click();
      await closing.asked();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await closing.lose();
      await page.getByText(UNREACHABLE).first().waitFor();
    });
  });
});

describe("verdicts that are decided after one has left the case", () => {
  it("are no longer shown as not sent", async () => {
    const orderId = await desk.newCase();
    const path = desk.caseAt(orderId);
    await onPage(path, async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await approveEach(page);
      const deciding = await holdAnswer(page, "POST", "**/decision");
      await page.keyboard.press("Control+Enter");
      await deciding.asked();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await deciding.pass();
      await page.getByText("Sent to the carrier", { exact: true }).waitFor();
      const kept: unknown = await page.evaluate(
        `Object.keys(sessionStorage).filter((name) => name.includes("${orderId}"))`,
      );
      expect(kept).toEqual([]);
      await page.goto(desk.deskUrl + path);
      await page.getByText("Approved: waiting on the carrier").waitFor();
      expect(await page.getByText("not sent").count()).toBe(0);
    });
  });
});

describe("a verdict that was sent from another window", () => {
  it("is no longer shown as not sent", async () => {
    const orderId = await desk.newCase();
    await onPage(desk.caseAt(orderId), async (page) => {
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await approveEach(page);
      const field = page.locator('[data-slug="account_number"]');
      await field.getByText("Approve, not sent").waitFor();
      const rejection = { slug: "account_number", decision: "reject", reason: "It is another." };
      const sent = { decisions: [rejection] };
      expect((await desk.desk("POST", `/reviews/${orderId}/decision`, sent)).status).toBe(202);
      await page.getByText("Rejected: waiting on the customer").waitFor();
      await field.getByText("Rejected", { exact: true }).waitFor();
      expect(await field.getByText("not sent").count()).toBe(0);
    });
  });
});

describe("a secret that is shown once", () => {
  it("is not lost with a dialog that is closed before it has come", async () => {
    await onPage("/accounts", async (page) => {
      await page.getByRole("button", { name: "Create an account" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Slow Customer");
      const creating = await holdAnswer(page, "POST", "**/accounts");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").locator("[aria-busy]").waitFor();
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      await creating.pass();
      await page.getByRole("heading", { name: "Slow Customer is created" }).waitFor();
      await page.getByRole("heading", { name: "API key", exact: true }).waitFor();
    });
  });
});
