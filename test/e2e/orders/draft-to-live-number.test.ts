import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { eventually } from "../../support/eventually.ts";
import { EVENTS_TO_LIVE_NUMBER } from "../../support/orders/events-to-live-number.ts";
import { confirmAtDesk, fulfilOrder } from "../../support/orders/fulfil-order.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { signatureHolds } from "../../support/webhooks/webhook-signature.ts";

const event = z.object({
  id: z.string(),
  type: z.string(),
  order_id: z.string(),
  created_at: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

let product: Product;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startWebhookReceiver()]);
});

function api(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  return call(product.apiUrl + path, { method, key: product.apiKey, body });
}

describe("an order without rejections", () => {
  it("passes every service to an active number, and each status change is a stored and delivered event", async () => {
    const phoneNumber = product.newNumber();
    const endpoint = await api("/v2/webhook_endpoints", { url: `${receiver.url}/hook` });
    expect(endpoint.status).toBe(201);
    const made = await api("/v2/porting_orders", {
      phone_numbers: [phoneNumber],
      customer_reference: "first port",
    });
    expect(made.status).toBe(201);
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(product, orderId);
    const submitted = await api(`/v2/porting_orders/${orderId}/submit`, {});
    expect([submitted.status, submitted.body?.["status"]]).toEqual([200, "in_review"]);
    await confirmAtDesk(product, orderId);

    await eventually(async () => {
      const order = await api(`/v2/porting_orders/${orderId}`);
      expect(order.body?.["status"]).toBe("completed");
    });
    const events = await eventually(async () => {
      const listed = await api(`/v2/porting/events?order=asc&porting_order_id=${orderId}`);
      const found = z.array(event).parse(listed.body?.["data"]);
      expect(found.map((one) => [one.type, one.payload["new_status"]])).toEqual(
        EVENTS_TO_LIVE_NUMBER,
      );
      return found;
    });

    await eventually(() => expect(receiver.received).toHaveLength(EVENTS_TO_LIVE_NUMBER.length));
    const secret = textOf(endpoint, "signing_secret");
    for (const webhook of receiver.received) {
      expect(signatureHolds(secret, webhook)).toBe(true);
      const body: unknown = JSON.parse(webhook.body.toString());
      const stored = events.find((one) => one.id === webhook.headers["porting-event-id"]);
      expect(body).toEqual({
        id: stored?.id,
        type: stored?.type,
        created_at: stored?.created_at,
        payload: stored?.payload,
      });
    }
    const deliveries = dataOf(await api(`/v2/webhook_deliveries?porting_order_id=${orderId}`));
    expect(deliveries).toHaveLength(EVENTS_TO_LIVE_NUMBER.length);

    const number = await api(`/v2/numbers/${encodeURIComponent(phoneNumber)}`);
    expect(number.body).toMatchObject({ status: "active", porting_order_id: orderId });

    const secrets = [secret, product.apiKey, product.deskToken, phoneNumber.slice(1)];
    for (const file of readdirSync(product.logFolder)) {
      const log = readFileSync(join(product.logFolder, file), "utf8");
      expect(secrets.filter((canary) => log.includes(canary))).toEqual([]);
      expect(log).not.toContain("Warning");
    }
  });

  it("sets its numbers as it was told in the moment in which they become active", async () => {
    const [usual, own] = [product.newNumber(), product.newNumber()];
    const forwarding = { primary: "+12125550199", fallback: null };
    const labels = { tags: ["sales"], connection_ref: "trunk-7" };
    const made = await api("/v2/porting_orders", {
      phone_numbers: [usual, own],
      number_configuration: { default: { port_out_lock: true, port_out_pin: "471147" } },
    });
    const [order] = dataOf(made);
    const path = `/v2/porting_orders/${String(order?.["id"])}`;
    const locked = { default: { port_out_lock: true, port_out_pin_set: true }, numbers: {} };
    expect(order?.["number_configuration"]).toEqual(locked);
    const number_configuration = {
      default: { port_out_lock: true, port_out_pin: "815081", ...labels },
      numbers: { [own]: { port_out_lock: false, port_out_pin: null, forwarding } },
    };
    const removed = product.newNumber();
    const [draft] = dataOf(
      await api("/v2/porting_orders", {
        phone_numbers: [product.newNumber(), removed],
        number_configuration: { numbers: { [removed]: { tags: ["gone"] } } },
      }),
    );
    const without = { remove_phone_numbers: [removed] };
    const left = await api(`/v2/porting_orders/${String(draft?.["id"])}`, without, "PATCH");
    expect(left.body?.["number_configuration"]).toEqual({ default: {}, numbers: {} });
    const unknown = { numbers: { "+12125550000": {} } };
    expect((await api(path, { number_configuration: unknown }, "PATCH")).status).toBe(422);
    const patched = await api(path, { number_configuration }, "PATCH");
    expect([patched.status, patched.body?.["number_configuration"]]).toMatchObject([
      200,
      { default: { port_out_pin_set: true, ...labels }, numbers: { [own]: { forwarding } } },
    ]);
    expect(JSON.stringify(patched.body)).not.toContain("815081");
    await fulfilOrder(product, String(order?.["id"]));
    await api(`${path}/submit`, {});
    await confirmAtDesk(product, String(order?.["id"]));
    const numberOf = (number: string) => api(`/v2/numbers/${encodeURIComponent(number)}`);
    // From its first moment on: the first answer that is not 404 has everything.
    const first = await eventually(async () => {
      const found = await numberOf(usual);
      expect(found.status).toBe(200);
      return found;
    });
    expect(first.body).toMatchObject({
      ...{ status: "active", source: "ported", port_out_lock: true, port_out_pin_set: true },
      ...{ forwarding: null, messaging_ref: null, ...labels },
    });
    const second = await eventually(async () => {
      const found = await numberOf(own);
      expect(found.status).toBe(200);
      return found;
    });
    expect(second.body).toMatchObject({
      ...{ port_out_lock: false, port_out_pin_set: false, ...labels },
      forwarding: { ...forwarding, handled_by: expect.any(String) },
    });
    await eventually(async () => expect((await api(path)).body?.["status"]).toBe("completed"));
    const late = await api(path, { number_configuration: null }, "PATCH");
    expect([late.status, late.body?.["code"]]).toEqual([409, "invalid_state"]);
  });

  it("of a deleted draft only the event remains", async () => {
    const phone_numbers = [product.newNumber()];
    const made = await api("/v2/porting_orders", { phone_numbers });
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    expect((await api(`/v2/porting_orders/${orderId}`, undefined, "DELETE")).status).toBe(204);
    expect((await api(`/v2/porting_orders/${orderId}`)).status).toBe(404);
    await eventually(async () => {
      const listed = await api(`/v2/porting/events?porting_order_id=${orderId}`);
      expect(dataOf(listed).map((one) => one["type"])).toEqual([
        "porting_order.deleted",
        "porting_order.created",
      ]);
    });
    const again = await api("/v2/porting_orders", { phone_numbers });
    expect(again.status).toBe(201);
  });
});
