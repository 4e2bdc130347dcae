/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";
import { consoleDeskOf, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole } from "../../support/console/in-console.ts";
import { openBrowser } from "../../support/http/browser.ts";
import { dataOf, textOf } from "../../support/http/call.ts";
import { startQuickProduct } from "../../support/product/shared-products.ts";
import { eventually } from "../../support/eventually.ts";
import { expectWell, inPortal } from "../../support/portal/in-portal.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let desk: ConsoleDesk;
let receiver: WebhookReceiver;
let isHealed = false;

beforeAll(async () => {
  [desk, receiver] = await Promise.all([
    startQuickProduct().then(async (product) => consoleDeskOf(product, await openBrowser())),
    startWebhookReceiver(({ path }) => (isHealed || path.startsWith("/good") ? 200 : 503)),
  ]);
});

const newEndpoint = async (path: string): Promise<string> => {
  const body = { url: receiver.url + path, enabled_events: ["porting_order.created"] };
  return textOf(await desk.api("POST", "/v2/webhook_endpoints", body), "id");
};

async function withFailedDelivery(endpointId: string): Promise<string> {
  const [id = ""] = await withFailedDeliveries(endpointId, 1);
  return id;
}

/** The ids of an endpoint's deliveries that failed, newest first, once there are so many. */
async function withFailedDeliveries(endpointId: string, count: number): Promise<string[]> {
  for (let n = 0; n < count; n += 1) await desk.newDraft();
  return eventually(async () => {
    const path = `/v2/webhook_deliveries?status=failed&webhook_endpoint_id=${endpointId}`;
    const found = dataOf(await desk.api("GET", path));
    expect(found).toHaveLength(count);
    return found.map(({ id }) => String(id));
  });
}

const statusOf = async (id: string) =>
  (await desk.api("GET", `/v2/webhook_deliveries/${id}`)).body?.["status"];

/** Selects all rows of a list by keys and retries them, of which one has been meanwhile. */
async function retryAll(page: Page, retried: string): Promise<void> {
  await page.getByLabel("Select all on this page").press("Space");
  await page.getByText("3 selected").waitFor();
  isHealed = true;
  expect((await desk.api("POST", `/v2/webhook_deliveries/${retried}/retry`)).status).toBe(202);
  await eventually(async () => expect(await statusOf(retried)).toBe("succeeded"));
  await page.getByRole("toolbar").getByRole("button", { name: "Retry" }).press("Enter");
  await page.getByText("2 tried once more, 1 refused.").waitFor();
  await page.getByText("this one is `succeeded`").waitFor();
  await expectWell(page);
  await page.getByRole("dialog").locator("footer").getByRole("button").press("Enter");
}

/** Every endpoint gets every draft: what an earlier test's endpoint still retries would arrive later. */
const untilNothingIsOpen = (): Promise<void> =>
  eventually(async () => {
    const path = "/v2/webhook_deliveries?status=pending&status=retrying";
    expect(dataOf(await desk.api("GET", path))).toEqual([]);
  });

async function toEndpoint(page: Page, path: string): Promise<void> {
  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("link", { name: receiver.url + path, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: receiver.url + path }).waitFor();
}

describe("deliveries in the portal", () => {
  it("are filtered, show body and attempts, and a failed one is retried", async () => {
    isHealed = false;
    const endpointId = await newEndpoint("/retried");
    const id = await withFailedDelivery(endpointId);
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Deliveries" }).click();
      await page.getByLabel("Status").selectOption("failed");
      await page.getByLabel("Endpoint").selectOption(endpointId);
      await page.reload();
      await page.locator(`a[href="/portal/deliveries/${id}"]`).waitFor();
      await expectWell(page);
      await page.locator(`a[href="/portal/deliveries/${id}"]`).click();
      await page.getByRole("row").filter({ hasText: "503" }).first().waitFor();
      await page.getByLabel("The body that was sent").getByText("porting_order.created").waitFor();
      isHealed = true;
      await page.getByRole("button", { name: "Retry now" }).click();
      await page.getByText("Delivered").waitFor();
      await expectWell(page);
    });
    expect(await statusOf(id)).toBe("succeeded");
  });

  it("are found by what they failed with, and several are retried by keys", async () => {
    isHealed = false;
    const endpointId = await newEndpoint("/many");
    const ids = await withFailedDeliveries(endpointId, 3);
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Deliveries" }).press("Enter");
      await page.getByLabel("Endpoint").selectOption(endpointId);
      const code = page.getByLabel("Failed with");
      await code.fill("dns_error");
      await code.press("Enter");
      await page.getByRole("heading", { name: "No deliveries here" }).waitFor();
      await code.fill("5o3");
      await code.press("Enter");
      await page.getByText("It must be an HTTP status or the error.code").waitFor();
      await code.fill("503");
      await code.press("Enter");
      await page.locator(`a[href="/portal/deliveries/${ids[2]}"]`).waitFor();
      await retryAll(page, ids[1] ?? "");
    });
    await eventually(async () => {
      const statuses = await Promise.all(ids.map(statusOf));
      expect(statuses).toEqual(["succeeded", "succeeded", "succeeded"]);
    });
  });
});

describe("deliveries at the desk", () => {
  it("are listed over all accounts and of one, shown with each attempt, and retried by a lead alone", async () => {
    isHealed = false;
    const endpointId = await newEndpoint("/supported");
    const ids = await withFailedDeliveries(endpointId, 3);
    const { token } = await desk.newOperator("Lea", "lead");
    await inConsole({ ...desk, token, path: "/deliveries" }, async (page) => {
      await page.getByText(/deliver(y|ies)$/, { exact: true }).waitFor();
      await page.goto(`${desk.deskUrl}/deliveries?account_id=${desk.account}`);
      const chosen = page
        .getByLabel("Account", { exact: true })
        .locator(`option[value="${desk.account}"]:checked`);
      await chosen.waitFor({ state: "attached" });
      const endpoint = page.getByLabel("Endpoint id");
      await endpoint.fill(endpointId);
      await endpoint.press("Enter");
      await page.getByText("3 deliveries", { exact: true }).waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Created" }).press("Enter");
      await page.locator("th[aria-sort=ascending]", { hasText: "Created" }).waitFor();
      await page.locator("tbody [data-row]").first().press("Enter");
      await page.getByRole("row").filter({ hasText: "503" }).first().waitFor();
      await page.getByLabel("The body that was sent").getByText("porting_order.created").waitFor();
      await page.getByRole("link", { name: `${receiver.url}/supported` }).press("Enter");
      await page.getByText("Failing", { exact: true }).waitFor();
      await expectWell(page);
      await page.getByRole("link", { name: "Deliveries to this endpoint" }).press("Enter");
      await page.getByText("3 deliveries", { exact: true }).waitFor();
      await retryAll(page, ids[1] ?? "");
    });
    const viewer = await desk.newOperator("Vic", "viewer");
    const path = `/deliveries/${ids[0] ?? ""}`;
    await inConsole({ ...desk, token: viewer.token, path }, async (page) => {
      await page.getByText("Delivered", { exact: true }).waitFor();
      await page.goto(`${desk.deskUrl}/deliveries?webhook_endpoint_id=${endpointId}`);
      await page.getByText("3 deliveries", { exact: true }).waitFor();
      expect(await page.getByRole("checkbox").count()).toBe(0);
    });
  });
});

describe("events in the portal", () => {
  it("are found by type and number, show payload and deliveries, and are sent again", async () => {
    isHealed = true;
    await newEndpoint("/events");
    await untilNothingIsOpen();
    const orderId = await desk.newDraft();
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}`);
    const [number = ""] = z
      .object({ phone_numbers: z.array(z.string()) })
      .parse(body).phone_numbers;
    const ofEvent = async () => {
      const [event] = dataOf(
        await desk.api("GET", `/v2/porting/events?porting_order_id=${orderId}`),
      );
      return dataOf(
        await desk.api("GET", `/v2/porting/events/${String(event?.["id"])}/deliveries`),
      );
    };
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Events" }).press("Enter");
      await page.getByLabel("Event", { exact: true }).selectOption("porting_order.created");
      const byNumber = page.getByLabel("Number of the order");
      await byNumber.fill(number);
      await byNumber.press("Enter");
      const event = page.getByRole("table").getByRole("link", { name: "porting_order.created" });
      await eventually(async () => expect(await event.count()).toBe(1));
      await event.press("Enter");
      await page.getByLabel("The event’s payload").getByText(number).waitFor();
      await eventually(async () => expect(await ofEvent()).not.toEqual([]));
      const before = (await ofEvent()).length;
      await page.getByRole("button", { name: "Send again" }).press("Enter");
      await page.getByText(/^It is sent to \d+ address(es)? again$/).waitFor();
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      await eventually(async () => expect(await rows.count()).toBeGreaterThan(before));
      await expectWell(page);
    });
    expect((await ofEvent()).some(({ trigger }) => trigger === "republish")).toBe(true);
  });
});

function rightOf(box: { readonly x: number; readonly width: number } | null): number {
  return box === null ? 0 : box.x + box.width;
}

describe("endpoints in the portal", () => {
  it("recover what failed, counted first", async () => {
    isHealed = false;
    await withFailedDelivery(await newEndpoint("/recovered"));
    await untilNothingIsOpen();
    isHealed = true;
    const before = receiver.received.length;
    await inPortal(desk, async (page) => {
      await toEndpoint(page, "/recovered");
      await page.getByRole("button", { name: "Recover" }).click();
      await page.getByRole("button", { name: "Count first" }).click();
      await page.getByText("1 event would be sent. Nothing was sent yet.").waitFor();
      expect(receiver.received).toHaveLength(before);
      await expectWell(page);
      await page.getByRole("button", { name: "Send 1 again" }).click();
      await page.getByText("Done: 1 of 1 delivered.").waitFor();
    });
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(["/recovered"]);
  });

  it("are created with their secret shown once, tested, rotated, paused and resumed", async () => {
    await inPortal(desk, async (page) => {
      await page.getByRole("link", { name: "Endpoints" }).click();
      await page.getByRole("button", { name: "New endpoint" }).click();
      await page.getByText("All events").click();
      const longest = page.locator("label", { hasText: "requirement_updated" }).last();
      const label = await longest.boundingBox();
      expect(rightOf(await longest.locator("span").boundingBox())).toBeLessThanOrEqual(
        rightOf(label),
      );
      expect(rightOf(label)).toBeGreaterThan(0);
      const address = page.getByLabel("Address");
      await address.fill("https://10.0.0.1/hook");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.locator("input[aria-invalid]").waitFor();
      await expectWell(page);
      await address.fill(`${receiver.url}/good`);
      await page.getByRole("button", { name: "Create", exact: true }).click();
      const secret = await page.getByText(/^whsec_/).textContent();
      await expectWell(page);
      await page.keyboard.press("Escape");
      const lost = page.getByRole("dialog", { name: "Close it without a copy?" });
      await lost.getByRole("button", { name: "Cancel" }).press("Enter");
      expect(await page.getByText(/^whsec_/).textContent()).toBe(secret);
      await page.getByRole("button", { name: "I have kept it" }).click();
      expect(await page.getByText(/^whsec_/).count()).toBe(0);

      await toEndpoint(page, "/good");
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByLabel("Event", { exact: true }).selectOption("port_out.created");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "port_out.created" }).waitFor();
      await page.getByText("Delivered").waitFor();
      await toEndpoint(page, "/good");
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await page.getByRole("button", { name: "Rotate", exact: true }).click();
      expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret);
      await page.getByRole("button", { name: "I have kept it" }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("Paused by you").waitFor();
      await expectWell(page);
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByText(/Active$/).waitFor();
    });
  });

  it("are edited and deleted", async () => {
    isHealed = true;
    const id = await newEndpoint("/edited");
    await inPortal(desk, async (page) => {
      await toEndpoint(page, "/edited");
      await page.getByRole("button", { name: "Edit" }).press("Enter");
      const address = page.getByLabel("Address");
      expect(await address.inputValue()).toBe(`${receiver.url}/edited`);
      await address.fill("https://10.0.0.1/hook");
      await page.keyboard.press("Enter");
      await page.locator("input[aria-invalid]").waitFor();
      await address.fill(`${receiver.url}/moved`);
      await page.getByLabel("Description").fill("The shop");
      await page.getByText("1 kind of event").press("Enter");
      await page.getByLabel("loa.signed").press("Space");
      await expectWell(page);
      await page.getByRole("button", { name: "Save" }).press("Enter");
      await page.getByText("The endpoint is changed").waitFor();
      await page.getByRole("heading", { level: 1, name: `${receiver.url}/moved` }).waitFor();
      const { body } = await desk.api("GET", `/v2/webhook_endpoints/${id}`);
      expect(body).toMatchObject({
        url: `${receiver.url}/moved`,
        description: "The shop",
        enabled_events: ["porting_order.created", "loa.signed"],
        max_per_second: null,
      });
      await page.getByRole("button", { name: "Delete" }).press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
      expect(await page.getByText(`${receiver.url}/moved`).count()).toBe(0);
    });
    expect((await desk.api("GET", `/v2/webhook_endpoints/${id}`)).status).toBe(404);
  });
});
