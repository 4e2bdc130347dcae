/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { consoleDeskOf, type ConsoleDesk } from "../../support/console/console-desk.ts";
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
  await desk.newDraft();
  return eventually(async () => {
    const path = `/v2/webhook_deliveries?status=failed&webhook_endpoint_id=${endpointId}`;
    const [found] = dataOf(await desk.api("GET", path));
    if (found === undefined) throw new Error("the delivery has not failed yet");
    return String(found["id"]);
  });
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
    const { body } = await desk.api("GET", `/v2/webhook_deliveries/${id}`);
    expect(body).toMatchObject({ status: "succeeded" });
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
      await page.getByRole("button", { name: "I have kept it" }).click();
      expect(await page.getByText(/^whsec_/).count()).toBe(0);

      await toEndpoint(page, "/good");
      await page.getByRole("button", { name: "Send a test" }).click();
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
});
