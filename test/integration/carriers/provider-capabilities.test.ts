import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { carrierSideOf, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startQuickProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";

/** It takes submit, supplement and cancel alone. */
const FEW = "gb-gateway";

let side: CarrierSide;
let database: pg.Client;

beforeAll(async () => {
  // Its deadlines are looked at at once.
  side = await carrierSideOf(await startQuickProduct());
  database = await connectClient(side.product.databaseUrl);
});

async function kindsSentFor(orderId: string): Promise<string[]> {
  const requests = await readMessages(side.product, "carriers.requests");
  return requests.filter((one) => one.order_id === orderId).map(({ kind }) => kind);
}

async function timelineAtDesk(orderId: string) {
  const url = `${side.product.deskUrl}/desk/v1/orders/${orderId}/timeline?limit=100`;
  return dataOf(await call(url, { key: side.product.deskToken }));
}

/** Confirms a date that comes at once, so that the carrier would be asked to activate. */
async function confirmDate(id: string): Promise<void> {
  const foc_at = new Date(Date.now() + 500).toISOString();
  const body = { kind: "date_confirmed", raw_status: "FOC", foc_at };
  const url = `${side.product.deskUrl}/desk/v1/orders/${id}/carrier_updates`;
  const { status } = await call(url, { method: "POST", key: side.product.deskToken, body });
  expect(status).toBe(202);
}

/** A sent order of the provider, whom the carrier directory names for no carrier. */
async function sentTo(provider: string): Promise<string> {
  const body = { phone_numbers: [side.product.newNumber()], losing_carrier: "Few Telecom" };
  const id = String(dataOf(await side.api("/v2/porting_orders", body))[0]?.["id"]);
  await database.query("update orders.porting_orders set provider = $2 where id = $1", [
    id,
    provider,
  ]);
  return side.sent(id);
}

describe("a request that is not among its provider's capabilities", () => {
  it("is not sent, and the order's timeline says so at the desk alone", async () => {
    const id = await sentTo(FEW);
    await confirmDate(id);
    const entry = await eventually(async () => {
      const timeline = await timelineAtDesk(id);
      const found = timeline.find(({ data }) => JSON.stringify(data).includes("not_sent"));
      expect(found).toBeDefined();
      return found;
    });
    expect(entry).toMatchObject({
      kind: "carrier",
      actor: { type: "system" },
      data: {
        not_sent: { kind: "activate", provider: FEW, code: "no_capability", request_version: 1 },
      },
    });
    const shown = dataOf(await side.api(`/v2/porting_orders/${id}/timeline?limit=100`));
    expect(JSON.stringify(shown)).not.toContain("not_sent");
    expect(await kindsSentFor(id)).toEqual(["submit"]);
  });

  it("is sent to a provider that takes it", async () => {
    const id = await side.sentOrder(side.product.newNumber(), "test");
    await confirmDate(id);
    await eventually(async () => expect(await kindsSentFor(id)).toEqual(["submit", "activate"]));
  });
});

describe("a request about an order", () => {
  it("says the losing carrier, the country, the number type and when it was first made", async () => {
    const before = Date.now();
    const id = await side.sentOrder(side.product.newNumber(), "test");
    const request = await eventually(async () => {
      const requests = await readMessages(side.product, "carriers.requests");
      const found = requests.find((one) => one.order_id === id);
      if (found === undefined) throw new Error("not sent yet");
      return found;
    });
    expect(request).toMatchObject({
      provider: "test",
      kind: "submit",
      losing_carrier: "test",
      country_code: "US",
      number_type: "local",
    });
    expect(request.requested_at).toBeGreaterThanOrEqual(before);
    expect(request.requested_at).toBeLessThanOrEqual(Date.now());
  });
});
