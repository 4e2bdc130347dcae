import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { PORTAL_REACH } from "../../services/api/portal/portal-access.ts";
import { call, dataOf, outcomeOf } from "../support/http/call.ts";
import { uploadDocument, type CustomerAccess } from "../support/orders/fulfil-order.ts";
import { newPortalOrder } from "../support/portal/portal-order.ts";
import { visitByLink } from "../support/portal/portal-visitor.ts";
import type { Product } from "../support/product/product.ts";
import { startProduct } from "../support/product/shared-products.ts";

const CLOSED = [
  "GET /v2/api_keys",
  "POST /v2/api_keys",
  "DELETE /v2/api_keys/:id",
  "GET /v2/portal_sessions",
  "POST /v2/portal_sessions",
  "DELETE /v2/portal_sessions/:id",
  "POST /v2/webhook_signing_secret/rotate",
  "GET /v2/porting/events/stream",
];
const SOME_ID = "0195c000-0000-7000-8000-000000000001";

let product: Product;
let customer: CustomerAccess;
let order: string;
let otherOrder: string;

beforeAll(async () => {
  product = await startProduct();
  customer = product;
  [order, otherOrder] = [await newPortalOrder(customer), await newPortalOrder(customer)];
});

describe("what a portal session reaches", () => {
  it("is decided for every route of the API", async () => {
    const { body } = await call(`${customer.apiUrl}/openapi.json`);
    const paths = z.record(z.string(), z.record(z.string(), z.unknown())).parse(body?.["paths"]);
    const routes = Object.entries(paths)
      .filter(([path]) => path.startsWith("/v2"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        ),
      );
    expect(routes.toSorted()).toEqual([...Object.keys(PORTAL_REACH), ...CLOSED].toSorted());
  });

  it.each(CLOSED)("is never %s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    for (const visitor of [
      await visitByLink(customer),
      await visitByLink(customer, { order_id: order }),
    ]) {
      const sent = method === "POST" ? {} : undefined;
      const answer = await visitor.ask(method, path.replace(":id", SOME_ID), sent);
      expect(outcomeOf(answer)).toBe("404 not_found");
    }
  });

  it("is never a port-out's PIN", async () => {
    const visitor = await visitByLink(customer);
    const answer = await visitor.ask("PATCH", "/v2/numbers/%2B12125550199", {
      port_out_pin: "1234",
    });
    expect(["403 forbidden", "404 not_found"]).toContain(outcomeOf(answer));
  });

  it("by an order's link is that order, without where its webhooks go", async () => {
    const visitor = await visitByLink(customer, { order_id: order });
    const shown = await visitor.ask("GET", `/v2/porting_orders/${order}`);
    expect(shown.body).toMatchObject({ id: order, webhook_url: null });
    const path = `/v2/porting_orders/${order.toUpperCase()}/readiness`;
    expect((await visitor.ask("GET", path)).status).toBe(200);
  });

  it("by an order's link is nothing of another order, and no list", async () => {
    const other = await uploadDocument(customer, { orderId: otherOrder, slug: "invoice" });
    const own = await uploadDocument(customer, { orderId: order, slug: "invoice" });
    const visitor = await visitByLink(customer, { order_id: order });
    const attempts = Object.keys(PORTAL_REACH).flatMap((route) => {
      const [method = "", template = ""] = route.split(" ");
      const path = template
        .replace("/v2/documents/:id", `/v2/documents/${String(other["field_value"])}`)
        .replace(":slug", "entity_name")
        .replace(":phone_number", "%2B12125550123")
        .replace(/:(id|event_id)/, otherOrder);
      return [{ method, path }];
    });
    for (const { method, path } of attempts) {
      const answer = await visitor.ask(method, path, method === "GET" ? undefined : {});
      expect(`${method} ${path}: ${outcomeOf(answer)}`).toBe(`${method} ${path}: 404 not_found`);
    }
    const document = `${customer.apiUrl}/v2/documents/${String(own["field_value"])}`;
    expect((await fetch(document, { headers: visitor.headers })).status).toBe(200);
  });

  it.each([
    ["PATCH", "", { webhook_url: "https://evil.example" }],
    ["DELETE", "", undefined],
    ["POST", "/cancel", {}],
  ])("by an order's link is not %s of the order%s", async (method, below, body) => {
    const visitor = await visitByLink(customer, { order_id: order });
    const answer = await visitor.ask(method, `/v2/porting_orders/${order}${below}`, body);
    expect(outcomeOf(answer)).toBe("404 not_found");
  });
});

describe("what was done by a link", () => {
  it("says so in the timeline and in the audit log", async () => {
    const visitor = await visitByLink(customer, { order_id: order });
    const field = `/v2/porting_orders/${order}/requirements/entity_name`;
    expect((await visitor.ask("PATCH", field, { field_value: "Ada Byron" })).status).toBe(200);
    const timeline = await visitor.ask("GET", `/v2/porting_orders/${order}/timeline?limit=1`);
    expect(dataOf(timeline)[0]?.["actor"]).toMatchObject({ type: "customer", name: "portal" });
    const audit = await call(`${product.deskUrl}/desk/v1/audit?action=portal_session.opened`, {
      key: product.deskToken,
    });
    expect(JSON.stringify(dataOf(audit)[0])).toContain(`"portal"`);
  });

  it("under an Idempotency-Key happens once", async () => {
    const visitor = await visitByLink(customer);
    const url = `${customer.apiUrl}/v2/porting_orders/${order}/comments`;
    const headers = { ...visitor.headers, "Idempotency-Key": "portal-once" };
    const say = () => call(url, { method: "POST", headers, body: { body: "Said once." } });
    const [first, second] = [await say(), await say()];
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });

  it("by an order's link is not the answer that the account got under the same Idempotency-Key", async () => {
    const visitor = await visitByLink(customer, { order_id: order });
    const url = `${customer.apiUrl}/v2/porting_orders/${order}/comments`;
    const body = { body: "Said by both." };
    const own = { "Idempotency-Key": "ticket-4712" };
    const byKey = () => call(url, { method: "POST", key: customer.apiKey, headers: own, body });
    const byLink = () =>
      call(url, { method: "POST", headers: { ...visitor.headers, ...own }, body });
    const [first, second] = [await byKey(), await byLink()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect((await byKey()).body).toEqual(first.body);
    expect((await byLink()).body).toEqual(second.body);
  });

  it("by an order's link takes no Idempotency-Key from the account", async () => {
    const visitor = await visitByLink(customer, { order_id: order });
    const url = `${customer.apiUrl}/v2/porting_orders`;
    const own = { "Idempotency-Key": "ticket-4713" };
    const headers = { ...visitor.headers, ...own };
    const said = { method: "POST", headers, body: { body: "Said first." } };
    expect((await call(`${url}/${order}/comments`, said)).status).toBe(201);
    const body = { phone_numbers: [product.newNumber()] };
    const create = { method: "POST", key: customer.apiKey, headers: own, body };
    expect((await call(url, create)).status).toBe(201);
  });
});
