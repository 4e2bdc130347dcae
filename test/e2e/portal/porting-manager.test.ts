/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { newLiveOrder, newPortOut, statusBecomes } from "../../support/console/carried-order.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { dataOf } from "../../support/http/call.ts";
import { confirmAtDesk } from "../../support/orders/fulfil-order.ts";
import { fillUsOrder } from "../../support/portal/fill-us-order.ts";
import { expectWell, inPortal } from "../../support/portal/in-portal.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

/** `(212) 200-0001` of `+12122000001`. */
const asWritten = (number: string): string =>
  number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) });

async function toNewOrder(page: Page, numbers: readonly string[]): Promise<void> {
  await button(page, "New order").click();
  await page.getByLabel("Numbers to port").fill(numbers.join("\n"));
}

/** The id in the address of the open order's page. */
async function openedOrder(page: Page): Promise<string> {
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await page.getByRole("heading", { name: "What is needed" }).waitFor();
  return page.url().slice(-36);
}

describe("somebody who ports numbers in the portal", () => {
  it("brings three US numbers from a paste to live", async () => {
    const numbers = Array.from({ length: 3 }, () => desk.product.newNumber());
    const [first = ""] = numbers;
    await inPortal(desk, async (page) => {
      await toNewOrder(page, numbers.map(asWritten));
      await page.getByText("3 numbers, each counted once").waitFor();
      await page.reload();
      await button(page, "Check the numbers").click();
      await page.getByRole("heading", { name: "1 order will be created" }).waitFor();
      await page.getByText(/^It will ask for: .*Account number/).waitFor();
      await expectWell(page);
      await page.getByLabel("Your reference").fill(`Move ${first}`);
      await button(page, "Create 1 order").click();
      const orderId = await openedOrder(page);
      await fillUsOrder(page);
      await page.getByLabel("I may act for the account holder").check();
      await button(page, "Sign the letter").click();
      await page.getByRole("link", { name: "Open the letter" }).waitFor();
      await page.getByText("Everything is here.").waitFor();
      await button(page, "Submit for review").click();
      await page.getByRole("heading", { name: "The porting desk reviews it" }).waitFor();
      await confirmAtDesk(desk, orderId);
      await statusBecomes(desk, orderId, "completed");
      const told = page.getByRole("listitem").filter({ hasText: "Completed" });
      await told.waitFor();
      await page.getByRole("heading", { name: "Nothing more to do" }).waitFor();
      await expectWell(page);
      await page.getByRole("link", { name: first, exact: true }).click();
      await page.getByRole("heading", { name: first, level: 1 }).waitFor();
    });
  });

  it("forwards a number and locks it against port-out", async () => {
    const first = desk.product.newNumber();
    await newLiveOrder(desk, { phone_numbers: [first] });
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Numbers", exact: true }).click();
      await page.getByLabel("Go to number").fill(asWritten(desk.product.newNumber()));
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Look for it in your orders" }).waitFor();
      await page.getByRole("link", { name: "Numbers", exact: true }).click();
      await page.getByLabel("Go to number").fill(asWritten(first));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: first, level: 1 }).waitFor();
      await button(page, "Lock").click();
      await page.getByText(/^On: every other carrier/).waitFor();
      await button(page, "Forward calls").click();
      await page.getByLabel("Calls go to").fill(asWritten(first));
      await button(page, "Save").click();
      await page.getByText(/cannot be forwarded to itself/).waitFor();
      await page.getByLabel("Calls go to").fill("(212) 555-0199");
      await button(page, "Save").click();
      await page.getByText("+12125550199").waitFor();
      await expectWell(page);
      await page.getByRole("link", { name: "Numbers", exact: true }).click();
      const row = page.getByRole("row", { name: first });
      await row.getByText("Locked").waitFor();
      await expectWell(page);
      await page.getByLabel(`Select ${first}`).check();
      await button(page, "Unlock").click();
      await page.getByText(/one that nobody decides goes ahead/).waitFor();
      await button(page, "Unlock").last().click();
      await page.getByText("1 number unlocked").waitFor();
      await row.getByText("Locked").waitFor({ state: "detached" });
    });
    const path = `/v2/numbers/${encodeURIComponent(first)}`;
    const forwarding = { primary: "+12125550199", fallback: null };
    expect((await desk.api("GET", path)).body).toMatchObject({ port_out_lock: false, forwarding });
  });

  it("is shown what is wrong with which number, and which orders the rest becomes", async () => {
    const [american, other] = [desk.product.newNumber(), desk.product.newNumber()];
    const german = desk.product.newNumber("+4930");
    await desk.newDraft({ phone_numbers: [other] });
    await inPortal(desk, async (page) => {
      await toNewOrder(page, [`${american}, ${german}`, other, "12"]);
      await button(page, "Check the numbers").click();
      const faults = page.getByRole("table", { name: "Numbers that cannot be ordered" });
      await faults.getByText("Another order of yours is porting it already.").waitFor();
      await faults.getByText(/^It is not a phone number/).waitFor();
      expect(await button(page, "Create 2 orders").isDisabled()).toBe(true);
      await expectWell(page);
      await button(page, "Leave out 2 numbers").click();
      await page.getByText("All of them can be ordered.").waitFor();
      await page.getByLabel("Webhook address").fill("https://10.0.0.1/hook");
      await button(page, "Create 2 orders").click();
      await page.locator('input[type="url"][aria-invalid]').waitFor();
      await page.getByLabel("Webhook address").fill("");
      await button(page, "Create 2 orders").click();
      await page.getByRole("link", { name: american }).waitFor();
      await page.getByRole("link", { name: german }).waitFor();
      expect(await page.getByRole("row", { name: other }).count()).toBe(0);
      await expectWell(page);
      await button(page, "New order").click();
      expect(await page.getByLabel("Numbers to port").inputValue()).toBe("");
    });
  });

  it("saves an order's holder, and gives the next order its values", async () => {
    const holder = "Acme Dental LLC";
    const given = { requirements: { entity_name: holder, auth_person_name: "Grace Hopper" } };
    const number = desk.product.newNumber();
    const orderId = await desk.newDraft({ phone_numbers: [desk.product.newNumber()], ...given });
    await inPortal(desk, async (page) => {
      await page.goto(page.url().replace(/\/orders.*$/, `/orders/${orderId}`));
      await button(page, "Save the holder").click();
      expect(await page.getByLabel("What you call it").inputValue()).toBe(holder);
      await page.getByLabel("What you call it").fill("Acme, New York");
      await expectWell(page);
      await button(page, "Save").last().click();
      await page.getByText("The holder is saved").waitFor();
      await page.getByRole("link", { name: "Orders", exact: true }).click();
      await toNewOrder(page, [number]);
      await button(page, "Check the numbers").click();
      await page.getByLabel("Saved holder").selectOption("Acme, New York");
      await page.getByLabel("Against port-out, once they are live").selectOption("yes");
      await page.getByLabel("Forward their calls to").fill(asWritten(number));
      await button(page, "Create 1 order").click();
      await page.getByText(/cannot be forwarded to itself/).waitFor();
      await page.getByLabel("Forward their calls to").fill("(212) 555-0199");
      await expectWell(page);
      await button(page, "Create 1 order").click();
      const made = await openedOrder(page);
      await page.getByText("locked against port-out; calls go to +12125550199").waitFor();
      const { body } = await desk.api("GET", `/v2/porting_orders/${made}`);
      expect(JSON.stringify(body?.["requirements"])).toContain(holder);
      await page.goto(page.url().replace(/\/orders.*$/, "/holders"));
      await button(page, "Delete Acme, New York").click();
      await expectWell(page);
      await button(page, "Delete").last().click();
      await page.getByText("Acme, New York is deleted").waitFor();
      await page.getByText("No saved holders yet").waitFor();
    });
  });

  it("needs no mouse", async () => {
    const number = desk.product.newNumber();
    await inPortal(desk, async (page) => {
      const tabTo = async (name: string): Promise<void> => {
        const target = page.getByLabel(name, { exact: true }).or(button(page, name));
        await target.first().waitFor();
        for (let n = 0; n < 80; n += 1) {
          if ((await target.and(page.locator(":focus")).count()) > 0) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`Tab does not reach ${name}`);
      };
      await tabTo("New order");
      await page.keyboard.press("Enter");
      await tabTo("Numbers to port");
      await page.keyboard.type(number);
      await tabTo("Check the numbers");
      await page.keyboard.press("Enter");
      await button(page, "Create 1 order").waitFor();
      await tabTo("Create 1 order");
      await page.keyboard.press("Enter");
      await openedOrder(page);
      await tabTo("Account holder");
      await page.keyboard.type("Example Telecom Inc");
      await page.keyboard.press("Enter");
      await page.getByText("Saved.", { exact: true }).waitFor();
      await tabTo("Delete draft");
      await page.keyboard.press("Enter");
      await button(page, "Delete the draft").waitFor();
      await tabTo("Delete the draft");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    });
  });

  it("takes a thousand numbers from a file, and says what does not fit", async () => {
    await inPortal(desk, async (page) => {
      await button(page, "New order").click();
      const rows = Array.from({ length: 1_000 }, (_, n) => `Site ${n},(212) 300-${1_000 + n}`);
      const file = (name: string, text: string) => ({
        ...{ name, mimeType: "text/csv", buffer: Buffer.from(text) },
      });
      const input = page.getByLabel("Or add them from a CSV file");
      await input.setInputFiles(file("book.xlsx", "PK\0\0"));
      await page.getByText(/^No numbers were found in it/).waitFor();
      await input.setInputFiles(file("numbers.csv", ["Site,Phone", ...rows].join("\r\n")));
      await page.getByText("1,000 numbers, each counted once").waitFor();
      await button(page, "Check the numbers").click();
      await button(page, "Create 1 order").waitFor();
      await expectWell(page);
      await input.setInputFiles(file("more.csv", desk.product.newNumber()));
      await page.getByText(/One request takes 1,000/).waitFor();
      expect(await button(page, "Check the numbers").isDisabled()).toBe(true);
    });
  });

  it("changes an order, and ends it by deleting or cancelling", async () => {
    const numbers = [desk.product.newNumber(), desk.product.newNumber()];
    const [kept = "", left = ""] = numbers;
    const orderId = await desk.newDraft({ phone_numbers: numbers });
    const inReview = await desk.newCase();
    const statusOf = async (id: string) => (await desk.api("GET", `/v2/porting_orders/${id}`)).body;
    await inPortal(desk, async (page) => {
      const base = page.url().replace(/\/orders.*$/, "/orders");
      await page.goto(`${base}/${orderId}`);
      await button(page, "Change").click();
      await page.getByLabel("Your reference").fill("Batch 7");
      await page.getByLabel("Requested date and time").fill("2020-01-02T09:00");
      await page.getByLabel(left).check();
      expect(await page.getByLabel(kept).isDisabled()).toBe(true);
      await button(page, "Save").last().click();
      await page.locator('input[type="datetime-local"][aria-invalid]').waitFor();
      await expectWell(page);
      await page.getByLabel("Requested date and time").fill("");
      await button(page, "Save").last().click();
      await page.getByText("The order is changed").waitFor();
      await page.getByRole("heading", { name: kept, level: 1 }).waitFor();
      expect(await statusOf(orderId)).toMatchObject({
        ...{ customer_reference: "Batch 7", phone_numbers: [kept] },
      });
      await button(page, "Delete draft").click();
      await button(page, "Delete the draft").click();
      await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
      await page.goto(`${base}/${inReview}`);
      await button(page, "Change").click();
      await page.getByText(/can be changed while the order is a draft/).waitFor();
      await page.keyboard.press("Escape");
      await button(page, "Cancel order").click();
      await page.getByText(/^If it has never reached the losing carrier/).waitFor();
      await expectWell(page);
      await button(page, "Cancel the order").click();
      await page.getByText("The order is cancelled").waitFor();
    });
    expect((await statusOf(orderId))?.["status"]).toBe(404);
    expect((await statusOf(inReview))?.["status"]).toBe("cancelled");
  });

  it("decides on what other carriers ask for, after reading what follows", async () => {
    const numbers = [desk.product.newNumber(), desk.product.newNumber()];
    for (const number of numbers) await newLiveOrder(desk, { phone_numbers: [number] });
    const [staying = "", going = ""] = numbers;
    const ids = [await newPortOut(desk, staying), await newPortOut(desk, going)];
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Port-outs" }).click();
      const row = page.getByRole("row", { name: staying });
      await row.getByText(/then it goes ahead$/).waitFor();
      const shown = await page.getByRole("row").allTextContents();
      const placeOf = (number: string) => shown.findIndex((text) => text.includes(number));
      expect(placeOf(staying)).toBeLessThan(placeOf(going));
      await expectWell(page);
      await row.getByRole("link").click();
      await page.getByText(/^If nobody decides by then, it goes ahead/).waitFor();
      await expectWell(page);
      await button(page, "Reject").click();
      await page.getByLabel("Why").selectOption("subscriber_mismatch");
      await expectWell(page);
      await button(page, "Reject").last().click();
      await page.getByText("Rejected by you: Subscriber differs").waitFor();
      await page.getByLabel("Write to the porting desk").fill("They are not our customer.");
      await button(page, "Send comment").click();
      await page
        .getByRole("listitem")
        .filter({ hasText: /^You, .*They are not our/ })
        .waitFor();
      await expectWell(page);
      await page.getByRole("link", { name: "Port-outs" }).click();
      await page.getByRole("row", { name: going }).getByRole("link").click();
      await button(page, "Approve").click();
      await button(page, "Let the numbers go").click();
      await page.getByText("Approved by you").waitFor();
    });
    const decided = dataOf(await desk.api("GET", "/v2/port_outs"));
    const byId = new Map(decided.map((one) => [one["id"], one["status"]]));
    expect(ids.map((id) => byId.get(id))).toEqual(["rejected", "approved"]);
  });
});
