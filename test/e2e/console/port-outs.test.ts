/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { newLiveOrder, newPortOut, newSentOrder } from "../../support/console/carried-order.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole, NARROW, WIDE } from "../../support/console/in-console.ts";
import { eventually } from "../../support/eventually.ts";
import { dataOf } from "../../support/http/call.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

function inDesk(path: string, act: (page: Page) => Promise<void>, token = desk.deskToken) {
  return inConsole({ ...desk, token, path }, act);
}

/** The page of the port-outs of the account's numbers. */
const portOuts = (): string => `/port-outs?account=${desk.account}`;

/** A number on the platform. */
async function newNumber(): Promise<string> {
  const number = desk.product.newNumber();
  await newLiveOrder(desk, { phone_numbers: [number] });
  return number;
}

/** The name of the account whose number is asked for. */
async function accountOf(id: string): Promise<string> {
  const { body } = await desk.desk("GET", `/port_outs/${id}`);
  return z.object({ account: z.object({ name: z.string() }) }).parse(body).account.name;
}

describe("a port-out", () => {
  it("shows who was faster where the customer decides under the desk's hands", async () => {
    const number = await newNumber();
    const id = await newPortOut(desk, number);
    await inDesk(portOuts(), async (page) => {
      await page
        .getByRole("row", { name: number })
        .getByRole("button", { name: "Approve" })
        .click();
      const dialog = page.getByRole("dialog", { name: "Approve the port-out" });
      await dialog.getByText("Example Mobile may take the number").waitFor();
      const body = { code: "subscriber_mismatch" };
      expect((await desk.api("POST", `/v2/port_outs/${id}/reject`, body)).status).toBe(200);
      await dialog.getByRole("button", { name: "Let the numbers go" }).click();
      await dialog
        .getByText("The customer has rejected it already (Subscriber differs).")
        .waitFor();
      expect(await dialog.getByRole("button", { name: "Let the numbers go" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
      await eventually(async () => {
        expect(await page.getByRole("row", { name: number }).count()).toBe(0);
      });
    });
    expect((await desk.desk("GET", `/port_outs/${id}`)).body).toMatchObject({
      status: "rejected",
      decision: { by: "customer", code: "subscriber_mismatch" },
    });
  });

  it("is rejected for its customer with a reason, by a lead alone", async () => {
    const number = await newNumber();
    const id = await newPortOut(desk, number);
    const { token: reviewer } = await desk.newOperator("Rita", "reviewer");
    const row = (page: Page) => page.getByRole("row", { name: number });
    await inDesk(
      portOuts(),
      async (page) => {
        await row(page).waitFor();
        expect(await page.getByRole("button", { name: "Reject" }).count()).toBe(0);
      },
      reviewer,
    );
    const { token: lead } = await desk.newOperator("Lena", "lead");
    const account = await accountOf(id);
    await inDesk(
      portOuts(),
      async (page) => {
        await row(page).getByRole("button", { name: "Reject" }).click();
        const dialog = page.getByRole("dialog", { name: "Reject the port-out" });
        await dialog.getByText("Example Mobile is refused the number").waitFor();
        for (const fact of [account, number, "Example Mobile", "Wanted for", "Decide by"]) {
          await dialog.getByText(fact, { exact: true }).waitFor();
        }
        await dialog.getByText(/states of its customer/).waitFor();
        // An unlocked number without a PIN.
        await dialog.locator("option[value=subscriber_mismatch]").waitFor({ state: "attached" });
        expect(await dialog.locator("option[value=port_locked]").count()).toBe(0);
        await dialog.getByLabel("Why").selectOption("account_number_invalid");
        await dialog.getByLabel("In words (optional)").fill("It ends in 0210.");
        await dialog.getByRole("button", { name: "Reject" }).click();
        await page.getByText("The port-out is rejected").waitFor();
        await page.goto(`${desk.deskUrl}${portOuts()}&status=rejected`);
        await row(page).getByText("It ends in 0210.").waitFor();
        await row(page)
          .getByText(/Rejected by the desk/)
          .waitFor();
      },
      lead,
    );
    expect((await desk.desk("GET", `/port_outs/${id}`)).body).toMatchObject({
      decision: { by: "ops", code: "account_number_invalid", reason: "It ends in 0210." },
    });
  });
});

describe("the page of a port-out", () => {
  it("leads to its numbers, whose pages lead back, and has its webhooks and its decision", async () => {
    const url = "http://127.0.0.1:9999/nobody";
    expect((await desk.api("POST", "/v2/webhook_endpoints", { url })).status).toBe(201);
    const number = await newNumber();
    const id = await newPortOut(desk, number);
    const comment = { body: "Who asked for it?" };
    await desk.api("POST", `/v2/port_outs/${id}/comments`, comment);
    await inDesk(portOuts(), async (page) => {
      const mark = page.getByText("Comment", { exact: true });
      await page.getByRole("row", { name: number }).filter({ has: mark }).waitFor();
      await page.getByRole("link", { name: number }).click();
      const title = page.getByRole("heading", { name: "Port-out to Example Mobile", level: 1 });
      await title.waitFor();
      const said = page.getByRole("listitem");
      await said.filter({ hasText: /^Customer, .*Who asked for it\?$/ }).waitFor();
      await page.getByLabel("Write to the customer").fill("We ask the carrier.");
      await page.getByRole("button", { name: "Send comment" }).click();
      await said.filter({ hasText: "We ask the carrier." }).waitFor();
      await mark.waitFor({ state: "detached" });
      const webhooks = page.getByRole("table", { name: "Deliveries" });
      await webhooks.getByText("port_out.created").first().waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: number }).click();
      await page.getByRole("heading", { name: number, level: 1 }).waitFor();
      await page.getByRole("table", { name: "Orders" }).waitFor();
      await page.getByText("Came by").waitFor();
      await expectAccessible(page);
      await page.setViewportSize(NARROW);
      await expectNoSidewaysScroll(page);
      await page.getByRole("link", { name: "Example Mobile" }).press("Enter");
      await title.waitFor();
      await expectNoSidewaysScroll(page);
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("button", { name: "Let the numbers go" }).click();
      await page.getByText(/Approved by the desk/).waitFor();
      // The palette finds the number by its last digits.
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(number.slice(-7));
      await page.getByRole("option", { name: number }).click();
      await page.getByRole("heading", { name: number, level: 1 }).waitFor();
    });
    await inDesk("/numbers/12125550000000", async (page) => {
      await page.getByText("It is not on the platform").waitFor();
    });
  });
});

describe("several port-outs", () => {
  it("are selected by keys and rejected together, with one reason", async () => {
    const [first, second] = [await newNumber(), await newNumber()];
    const ids = [await newPortOut(desk, first), await newPortOut(desk, second)];
    await inDesk(portOuts(), async (page) => {
      for (const number of [first, second]) {
        const box = page.getByRole("checkbox", { name: `Select ${number} to Example Mobile` });
        await box.press("Space");
      }
      await page.getByText("2 selected").waitFor();
      await page.getByRole("toolbar").getByRole("button", { name: "Reject" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Reject 2 port-outs" });
      await dialog.getByLabel("Why").selectOption("invalid_request");
      await dialog.getByRole("button", { name: "Reject" }).press("Enter");
      await page.getByText("2 port-outs rejected").waitFor();
    });
    for (const id of ids) {
      const { body } = await desk.desk("GET", `/port_outs/${id}`);
      expect(body).toMatchObject({ decision: { by: "ops", code: "invalid_request" } });
    }
  });
});

describe("a number", () => {
  it("gets a provider that is chosen from those that there are", async () => {
    const number = await newNumber();
    await inDesk(`/numbers?number=${encodeURIComponent(number)}`, async (page) => {
      const change = page.getByRole("button", { name: `Change the provider of ${number}` });
      await change.click();
      const dialog = page.getByRole("dialog", { name: `Provider of ${number}` });
      const choices = await dialog.getByLabel("New provider").locator("option").allTextContents();
      const names = choices.map((text) => text.split(":")[0]);
      expect(names).toContain("sandbox");
      expect(names).not.toContain("manual");
      expect(names).not.toContain("platform");
      await dialog.getByLabel("New provider").selectOption("sandbox");
      await dialog.getByRole("button", { name: "Change provider" }).click();
      await page.getByText(`${number} is now hosted by sandbox`).waitFor();
    });
    const path = `/numbers?phone_number=${encodeURIComponent(number)}`;
    expect(dataOf(await desk.desk("GET", path))).toMatchObject([{ provider: "sandbox" }]);
  });
});

describe("a number without an order", () => {
  it("is pasted on its account's page, checked and imported, leaves by a request by mail, or is released", async () => {
    const [first, second] = [desk.product.newNumber(), desk.product.newNumber()];
    await inDesk(`/accounts/${desk.account}`, async (page) => {
      await page.getByRole("button", { name: "Import numbers" }).click();
      const dialog = page.getByRole("dialog", { name: /^Import numbers of/ });
      await dialog.getByLabel("Provider that hosts them").selectOption("sandbox");
      await dialog
        .getByLabel("Numbers", { exact: true })
        .fill(`${first}\n${second},sandbox,local\n+1212`);
      await dialog.getByRole("button", { name: "Check" }).click();
      await dialog.getByText("2 numbers can be imported; left out: 1").waitFor();
      await dialog.getByText(/^\+1212: /).waitFor();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Import 2 numbers" }).click();
      await page.getByText(/has 2 numbers of these/).waitFor();

      await page.goto(`${desk.deskUrl}${portOuts()}`);
      await page.getByRole("button", { name: "Enter a port-out" }).click();
      const entry = page.getByRole("dialog", { name: "Enter a port-out" });
      await entry.getByLabel("Numbers").fill(first);
      await entry.getByLabel("Gaining carrier").fill("Example Mobile");
      await entry.getByLabel("Its reference").fill(`by-mail-${first}`);
      await entry
        .getByLabel("Port date")
        .fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
      await entry.getByLabel("Time").fill("10:00");
      await entry.getByLabel("Account number (optional)").fill("8150210");
      await expectAccessible(page);
      await entry.getByRole("button", { name: "Enter", exact: true }).click();
      await page.getByText("The request is entered").waitFor();
      await page.getByRole("link", { name: first }).click();
      await page.getByText("****0210").waitFor();
      await page.getByRole("button", { name: "The numbers have left" }).click();
      await page.getByRole("button", { name: "Enter it" }).click();
      await page.getByText("Ported out", { exact: true }).waitFor();

      await page.goto(`${desk.deskUrl}/numbers/${second.slice(1)}`);
      await page.getByText("an import", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Release" }).click();
      const release = page.getByRole("dialog", { name: `Release ${second}` });
      await release.getByLabel("Why").selectOption("disconnected");
      await release.getByLabel("What happened").fill("The holder has closed the site.");
      await expectAccessible(page);
      await release.getByRole("button", { name: "Release" }).click();
      await page.getByText("It is not on the platform").waitFor();
    });
    const { body } = await desk.api("GET", `/v2/numbers/${encodeURIComponent(second)}`);
    expect(body).toMatchObject({ status: "released", release: { reason: "disconnected" } });
  });
});

describe("the carriers", () => {
  it("name the orders that wait for a call, and a provider's words", async () => {
    const number = desk.product.newNumber();
    await newSentOrder(desk, { phone_numbers: [number] });
    await inDesk("/carriers", async (page) => {
      const call = page.getByRole("listitem").filter({ hasText: number });
      await call.getByRole("link", { name: "Record what it said" }).click();
      await page.getByRole("dialog", { name: "Carrier update" }).waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "sandbox" }).click();
      const drawer = page.getByRole("dialog", { name: "sandbox" });
      await drawer.getByText("PIN_MISMATCH").waitFor();
      await drawer.getByText("date_moved").waitFor();
      await expectAccessible(page);
    });
  });
});

describe("the calls to make", () => {
  it("lose an order as soon as what its carrier said is recorded", async () => {
    const number = desk.product.newNumber();
    const orderId = await newSentOrder(desk, { phone_numbers: [number] });
    await inDesk("/carriers", async (page) => {
      const call = page.getByRole("listitem").filter({ hasText: number });
      await call.getByRole("link", { name: "Record what it said" }).click();
      await page.getByRole("dialog", { name: "Carrier update" }).waitFor();
      await page.keyboard.press("Escape");
      const body = { kind: "number_active", raw_status: "PORTED" };
      await desk.desk("POST", `/orders/${orderId}/carrier_updates`, body);
      await page.getByText("The order has ended.").waitFor();
      await page.getByRole("link", { name: "Carriers", exact: true }).click();
      await page.getByRole("heading", { name: "To call today" }).waitFor();
      await call.waitFor({ state: "hidden" });
    });
  });
});

describe("a port-out on a narrow page", () => {
  it("shows whose number is asked for and for when, in its row and before its approval", async () => {
    const number = await newNumber();
    const account = await accountOf(await newPortOut(desk, number));
    const { deskToken: token } = desk;
    await inConsole({ ...desk, token, path: portOuts(), viewport: NARROW }, async (page) => {
      const row = page.getByRole("row", { name: number });
      await row.getByText(/to Example Mobile, wanted for/).waitFor();
      await row.getByRole("link", { name: account }).filter({ visible: true }).waitFor();
      await row.getByRole("button", { name: "Approve" }).click();
      const dialog = page.getByRole("dialog", { name: "Approve the port-out" });
      for (const fact of [account, "Wanted for", "Decide by"]) {
        await dialog.getByText(fact, { exact: true }).waitFor();
      }
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});

describe("the pages of port-outs, numbers and carriers", () => {
  it.each([WIDE, NARROW])("are accessible and fit %j", async (viewport) => {
    await newPortOut(desk, await newNumber());
    const shown = { [portOuts()]: "Port-outs", "/numbers": "Numbers", "/carriers": "Directory" };
    for (const [path, name] of Object.entries(shown)) {
      await inConsole({ ...desk, token: desk.deskToken, path, viewport }, async (page) => {
        await page.getByRole("table", { name }).waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      });
    }
  });
});
