/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { newSentOrder, statusBecomes } from "../../support/console/carried-order.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole, NARROW, WIDE } from "../../support/console/in-console.ts";
import { intercept } from "../../support/console/intercept.ts";
import { eventually } from "../../support/eventually.ts";
import { dataOf, textOf } from "../../support/http/call.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

function inDesk(path: string, act: (page: Page) => Promise<void>, token = desk.deskToken) {
  return inConsole({ ...desk, token, path }, act);
}

/** Opens the drawer and says what the carrier said. */
async function startUpdate(page: Page, kind: string): Promise<void> {
  await page.getByRole("button", { name: "Carrier update" }).click();
  await page.getByLabel("What did the carrier say?").selectOption(kind);
  await page.getByLabel("The carrier’s own word").fill("As on the phone");
}

describe("the search for orders", () => {
  it("finds an order by its number in any form, its last digits, its reference and its id", async () => {
    const number = desk.product.newNumber();
    const fields = { phone_numbers: [number], customer_reference: "Albany branch" };
    const orderId = await desk.newDraft(fields);
    await desk.newDraft();
    await inDesk(`/orders?account=${desk.account}`, async (page) => {
      const box = page.getByRole("searchbox", { name: "Search orders" });
      const rows = page.getByRole("table", { name: "Orders" }).locator("tbody tr");
      const [area, exchange, line] = [number.slice(2, 5), number.slice(5, 8), number.slice(8)];
      const written = `(${area}) ${exchange}-${line}`;
      for (const term of [written, number.slice(-5), "albany BRANCH", orderId]) {
        await box.fill(term);
        await eventually(async () => {
          expect(new URL(page.url()).searchParams.get("q")).toBe(term);
          expect(await rows.allInnerTexts()).toEqual([expect.stringContaining(number)]);
        });
      }
    });
  });

  it("is reached from anywhere by the key /, and stands in the URL with the filters", async () => {
    const number = desk.product.newNumber();
    const digits = number.slice(2);
    await desk.newDraft({ phone_numbers: [number] });
    await inDesk("/port-outs", async (page) => {
      await page.getByRole("heading", { name: "Port-outs" }).waitFor();
      await page.keyboard.press("/");
      const box = page.getByRole("searchbox", { name: "Search orders" });
      await page.locator("input[data-search]:focus").waitFor();
      await page.keyboard.type(digits);
      await page.getByLabel("Status").selectOption("draft");
      await eventually(() => {
        const { searchParams: shown } = new URL(page.url());
        expect([shown.get("q"), shown.get("status")]).toEqual([digits, "draft"]);
      });
      await page.reload();
      await page.getByRole("link", { name: number }).click();
      await page.getByRole("heading", { name: number }).waitFor();
      await page.goBack();
      expect(await box.inputValue()).toBe(digits);
      expect(await page.getByLabel("Status").inputValue()).toBe("draft");
    });
  });

  it("says why nothing is found, and what can be searched", async () => {
    await inDesk("/orders?q=no-such-order", async (page) => {
      await page.getByRole("heading", { name: "Nothing found for “no-such-order”" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Clear search and filters" }).click();
      await eventually(() => expect(new URL(page.url()).search).toBe(""));
    });
  });
});

describe("a carrier update", () => {
  it("refuses a mistyped date with the service's own sentence at its field", async () => {
    const orderId = await newSentOrder(desk);
    await inDesk(`/orders/${orderId}`, async (page) => {
      await startUpdate(page, "date_confirmed");
      await page.getByRole("button", { name: "Show what it does" }).click();
      await page.getByText("Give a date and a time.").waitFor();
      await page.getByLabel("FOC date: date").fill("2062-03-02");
      await page.getByLabel("FOC date: time", { exact: true }).fill("09:00");
      const asked = page.waitForResponse((response) => response.url().includes("carrier_updates"));
      await page.getByRole("button", { name: "Show what it does" }).click();
      const refused = await asked;
      expect(refused.status()).toBe(422);
      const { errors } = (await refused.json()) as {
        errors: { pointer: string; detail: string }[];
      };
      const [fault] = errors;
      expect(fault?.pointer).toBe("#/foc_at");
      const field = page.getByRole("group", { name: "FOC date" });
      await field.getByText(fault?.detail ?? "").waitFor();
      expect(await field.getByLabel("FOC date: date").getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByRole("button", { name: "Record update" }).count()).toBe(0);
      await page.reload();
      await page.getByRole("button", { name: "Carrier update" }).click();
      expect(await page.getByLabel("FOC date: date").inputValue()).toBe("2062-03-02");
    });
    const { body } = await desk.desk("GET", `/orders/${orderId}`);
    expect(body).toMatchObject({ status: "submitted", provider_status: "" });
  });

  it("says before what number_active does, asks twice, and then completes the order", async () => {
    const orderId = await newSentOrder(desk);
    await inDesk(`/orders/${orderId}`, async (page) => {
      await startUpdate(page, "number_active");
      await page.getByRole("button", { name: "Show what it does" }).click();
      const sentence = page.getByText(/^This completes the order\..* The customer is told of /);
      await sentence.waitFor();
      await page.getByRole("button", { name: "Record update" }).click();
      const question = page.getByRole("dialog", { name: "This cannot be taken back" });
      await question.getByText(/^This completes the order/).waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "hidden" });
      expect(await statusOf(orderId)).toBe("submitted");
      await page.getByRole("button", { name: "Record update" }).click();
      await question.getByRole("button", { name: "Yes, record it" }).click();
      await page.getByText("The order has ended.").waitFor();
    });
    await statusBecomes(desk, orderId, "completed");
    expect((await desk.desk("GET", `/orders/${orderId}`)).body).toMatchObject({
      provider_status: "As on the phone",
    });
  });

  it("asks twice before a refusal too, and only once for what can be taken back", async () => {
    const orderId = await newSentOrder(desk);
    await inDesk(`/orders/${orderId}`, async (page) => {
      const question = page.getByRole("dialog", { name: "This cannot be taken back" });
      await startUpdate(page, "refused");
      await page.getByRole("button", { name: "Show what it does" }).click();
      await page.getByText(/^This cancels the order for good/).waitFor();
      await page.getByRole("button", { name: "Record update" }).click();
      await question.getByRole("button", { name: "Cancel" }).click();
      await page.getByLabel("What did the carrier say?").selectOption("acknowledged");
      await page.getByLabel("The carrier’s own word").fill("Received");
      await page.getByRole("button", { name: "Show what it does" }).click();
      await page.getByText(/^This moves the order to In process/).waitFor();
      await page.getByRole("button", { name: "Record update" }).click();
      await page.getByText("The carrier update was recorded").waitFor();
    });
    await statusBecomes(desk, orderId, "in_process");
  });
});

describe("a change that the customer asks for", () => {
  it("stands at the order's next step, and is refused in the carrier's words", async () => {
    const phone_numbers = [desk.product.newNumber(), desk.product.newNumber()];
    const orderId = await newSentOrder(desk, { phone_numbers });
    const path = `/v2/porting_orders/${orderId}/changes`;
    const body = { remove_phone_numbers: phone_numbers.slice(1), reason: "It is still needed." };
    expect((await desk.api("POST", path, body)).status).toBe(201);
    await inDesk(`/orders/${orderId}`, async (page) => {
      await page.getByText(/^The customer asks for a change; without \+1/).waitFor();
      await expectAccessible(page);
      await startUpdate(page, "change_refused");
      await page.getByRole("button", { name: "Show what it does" }).click();
      await page.getByText(/^The order stays in Submitted\./).waitFor();
      await page.getByRole("button", { name: "Record update" }).click();
      await page.getByText("The carrier update was recorded").waitFor();
    });
    await eventually(async () => {
      expect(dataOf(await desk.api("GET", path))).toMatchObject([{ status: "refused" }]);
    });
  });
});

describe("an order that its carrier wants as several", () => {
  it("is split on its page", async () => {
    const phone_numbers = [desk.product.newNumber(), desk.product.newNumber()];
    const [, second = ""] = phone_numbers;
    const orderId = await newSentOrder(desk, { phone_numbers });
    const rejection = { raw_code: "different_accounts" };
    const rejected = { kind: "rejected", raw_status: "REJECTED", rejection };
    await desk.desk("POST", `/orders/${orderId}/carrier_updates`, rejected);
    await statusBecomes(desk, orderId, "rejection");
    await inDesk(`/orders/${orderId}`, async (page) => {
      await page.getByRole("button", { name: "Split" }).click();
      const dialog = page.getByRole("dialog", { name: "Split the order" });
      await dialog.getByLabel(second).check();
      await dialog.getByLabel("Why").fill("Two accounts.");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Split" }).click();
      await page.getByText("The order is split, and both parts wait in the queue").waitFor();
    });
    const { body } = await desk.desk("GET", `/orders/${orderId}`);
    expect(body).toMatchObject({ status: "in_review", phone_numbers: phone_numbers.slice(0, 1) });
  });
});

describe("comments and notes", () => {
  it("reach the customer as a comment, and never as a note", async () => {
    const orderId = await desk.newDraft();
    const { name, token } = await desk.newOperator("Ada Byron", "reviewer");
    await inDesk(
      `/orders/${orderId}`,
      async (page) => {
        await page.getByRole("heading", { name: "Comments and notes" }).waitFor();
        await page.keyboard.press("c");
        const comment = page.getByRole("dialog", { name: "Comment to the customer" });
        await comment.getByLabel("Comment").fill("The invoice is from last month.");
        await page.keyboard.press("Control+Enter");
        await comment.waitFor({ state: "hidden" });
        await page.keyboard.press("n");
        const note = page.getByRole("dialog", { name: "Internal note" });
        await note.getByLabel("Note").fill("Ask Dana before calling.");
        await note.getByRole("button", { name: "Save note" }).click();
        await note.waitFor({ state: "hidden" });
        await page.getByText(`${name} · internal note`).waitFor();
        await page.getByText(`${name} · to the customer`).waitFor();
      },
      token,
    );
    const comments = await desk.api("GET", `/v2/porting_orders/${orderId}/comments`);
    expect(dataOf(comments).map(({ body }) => body)).toEqual(["The invoice is from last month."]);
    const events = await eventually(async () => {
      const path = `/v2/porting/events?porting_order_id=${orderId}&type=porting_order.new_comment`;
      const found = await desk.api("GET", path);
      expect(dataOf(found)).toHaveLength(1);
      return found;
    });
    const timeline = await desk.api("GET", `/v2/porting_orders/${orderId}/timeline`);
    for (const seen of [comments, events, timeline]) {
      expect(JSON.stringify(seen.body)).toContain("The invoice is from last month.");
      expect(JSON.stringify(seen.body)).not.toMatch(/Ask Dana|Ada Byron/);
    }
  });

  it("are kept as drafts where the service cannot be reached", async () => {
    const orderId = await desk.newDraft();
    await inDesk(`/orders/${orderId}`, async (page) => {
      await page.getByRole("button", { name: "Comment to the customer" }).click();
      const comment = page.getByRole("dialog", { name: "Comment to the customer" });
      await comment.getByLabel("Comment").fill("Please send page 2.");
      await intercept(page, "**/comments", (route) => route.abort());
      await comment.getByRole("button", { name: "Send to the customer" }).click();
      await comment.getByText("The service cannot be reached.").waitFor();
      await page.unroute("**/comments");
      await page.reload();
      await page.getByRole("button", { name: "Comment to the customer" }).click();
      expect(await comment.getByLabel("Comment").inputValue()).toBe("Please send page 2.");
    });
    const comments = await desk.api("GET", `/v2/porting_orders/${orderId}/comments`);
    expect(dataOf(comments)).toEqual([]);
  });
});

describe("closing an order", () => {
  it("says what happens, and keeps the internal reason from the customer", async () => {
    const orderId = await desk.newDraft();
    await inDesk(`/orders/${orderId}`, async (page) => {
      await page.getByRole("button", { name: "Close order" }).click();
      const dialog = page.getByRole("dialog", { name: "Close the order" });
      await dialog.getByText("it is cancelled at once").waitFor();
      await dialog.getByLabel("Reason for the customer").fill("You asked us by phone.");
      await dialog.getByLabel("Internal reason (optional)").fill("Suspected fraud.");
      await dialog.getByRole("button", { name: "Close order" }).click();
      await page.getByText("The order is now: Cancelled").waitFor();
    });
    const order = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    expect(order.body).toMatchObject({ status: "cancelled", closed_by: "ops" });
    const timeline = await desk.api("GET", `/v2/porting_orders/${orderId}/timeline`);
    expect(JSON.stringify(timeline.body)).toContain("You asked us by phone.");
    expect(JSON.stringify([timeline.body, order.body])).not.toContain("Suspected fraud.");
  });
});

describe("what a viewer sees of an order", () => {
  it("has no button that the role may not use", async () => {
    const orderId = await newSentOrder(desk);
    const { token } = await desk.newOperator("Vera", "viewer");
    await inDesk(
      `/orders/${orderId}`,
      async (page) => {
        await page.getByRole("heading", { name: "Timeline" }).waitFor();
        for (const name of ["Carrier update", "Close order", "Internal note"]) {
          expect(await page.getByRole("button", { name }).count()).toBe(0);
        }
        await page.keyboard.press("w");
        await page.keyboard.press("n");
        expect(await page.getByRole("dialog").count()).toBe(0);
      },
      token,
    );
  });
});

describe("the pages of orders", () => {
  it.each([WIDE, NARROW])("are accessible and fit %j", async (viewport) => {
    const orderId = await newSentOrder(desk);
    const shown = {
      "/orders": (page: Page) => page.getByRole("table", { name: "Orders" }),
      [`/orders/${orderId}`]: (page: Page) => page.getByText("Draft → In review"),
      [`/orders/${orderId}/messages`]: (page: Page) => page.getByText("porting.events").first(),
    };
    for (const [path, content] of Object.entries(shown)) {
      await inConsole({ ...desk, token: desk.deskToken, path, viewport }, async (page) => {
        await content(page).waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      });
    }
    await inConsole(
      { ...desk, token: desk.deskToken, path: `/orders/${orderId}`, viewport },
      async (page) => {
        await startUpdate(page, "rejected");
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      },
    );
  });
});

async function statusOf(orderId: string): Promise<string> {
  return textOf(await desk.desk("GET", `/orders/${orderId}`), "status");
}
