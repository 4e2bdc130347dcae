import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { PORTAL_REACH } from "../../services/api/portal/reach.ts";
import { call, dataOf, textOf, type Answer } from "../support/http/call.ts";
import { uploadDocument, type CustomerAccess } from "../support/orders/fulfil-order.ts";
import {
  ask,
  exchange,
  newLink,
  visit,
  type PortalVisitor,
} from "../support/portal/portal-visitor.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startProduct, type Product } from "../support/product/product.ts";
import { connectClient } from "../support/stack/test-client.ts";

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
let line = 100;

beforeAll(async () => {
  product = await startProduct({ services: ["api", "requirement-review"] });
  customer = product;
  [order, otherOrder] = [await newOrder(customer), await newOrder(customer)];
});

async function newOrder({ apiUrl, apiKey: key }: CustomerAccess): Promise<string> {
  line += 1;
  const body = { phone_numbers: [`+12125550${line}`], webhook_url: "http://127.0.0.1:9999/secret" };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

async function byLink(body: Readonly<Record<string, unknown>> = {}): Promise<PortalVisitor> {
  return visit(customer.apiUrl, await newLink(customer, body));
}

function codeOf({ status, body }: Answer): string {
  const code = body?.["code"];
  return typeof code === "string" ? `${status} ${code}` : String(status);
}

describe("a link into the portal", () => {
  it("is limited to 60 seconds up to 30 days, an hour unless asked", async () => {
    const url = `${customer.apiUrl}/v2/portal_sessions`;
    const key = customer.apiKey;
    const expires = async (expires_in?: number) => {
      const made = await call(url, { method: "POST", key, body: { expires_in } });
      const ms = Date.parse(textOf(made, "expires_at")) - Date.parse(textOf(made, "created_at"));
      return ms / 1_000;
    };
    expect([await expires(), await expires(60), await expires(2_592_000)]).toEqual([
      3_600, 60, 2_592_000,
    ]);
    for (const expires_in of [59, 2_592_001, 1.5, "3600"]) {
      const refused = await call(url, { method: "POST", key, body: { expires_in } });
      expect(codeOf(refused)).toBe("422 validation_failed");
    }
  });

  it("is shown once, and never in the list", async () => {
    const { id, url } = await newLink(customer);
    const secret = new URL(url).hash.slice(1);
    const list = await call(`${customer.apiUrl}/v2/portal_sessions`, { key: customer.apiKey });
    expect(dataOf(list)[0]).toMatchObject({ id, order_id: null, ended_at: null });
    expect(JSON.stringify(list.body)).not.toContain(secret);
    const again = `${customer.apiUrl}/v2/portal_sessions`;
    const made = await call(again, { method: "POST", key: customer.apiKey, body: {} });
    expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"]);
  });

  it("is made for an own order alone", async () => {
    const other = await createAccount(product, "Another customer");
    const url = `${other.apiUrl}/v2/portal_sessions`;
    for (const order_id of [order, SOME_ID]) {
      const refused = await call(url, { method: "POST", key: other.apiKey, body: { order_id } });
      expect(codeOf(refused)).toBe("404 not_found");
    }
  });

  it("is exchanged from our own page alone, and a mail scanner's GET uses up nothing", async () => {
    const link = await newLink(customer);
    expect((await fetch(link.url, { headers: { Accept: "text/html" } })).status).toBe(200);
    const body = { link: new URL(link.url).hash.slice(1) };
    for (const headers of [{}, { Origin: "https://evil.example" }]) {
      const url = `${customer.apiUrl}/portal/session`;
      const refused = await call(url, { method: "POST", headers, body });
      expect(codeOf(refused)).toBe("403 forbidden");
    }
    expect((await exchange(customer.apiUrl, link)).status).toBe(200);
  });

  it("lets one of many that race in", async () => {
    const link = await newLink(customer);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => exchange(customer.apiUrl, link)),
    );
    expect(answers.map(codeOf).toSorted()).toEqual([
      "200",
      ...Array.from({ length: 7 }, () => "409 invalid_state"),
    ]);
  });

  it("to an order lets its end user in again, until it is ended", async () => {
    const link = await newLink(customer, { order_id: order });
    const [first, second] = [
      await visit(customer.apiUrl, link),
      await visit(customer.apiUrl, link),
    ];
    const path = `/v2/porting_orders/${order}`;
    expect((await first.ask("GET", path)).status).toBe(200);
    const url = `${customer.apiUrl}/v2/portal_sessions/${link.id}`;
    const end = () => call(url, { method: "DELETE", key: customer.apiKey });
    expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
    for (const visitor of [first, second]) {
      expect(codeOf(await visitor.ask("GET", path))).toBe("401 unauthorized");
    }
    expect(codeOf(await exchange(customer.apiUrl, link))).toBe("409 invalid_state");
  });

  it("is guessed in vain", async () => {
    const { url } = await newLink(customer);
    const wrong = url.replace(/#nps_link_./, (start) => `${start.slice(0, -1)}~`);
    for (const guess of [wrong, `${customer.apiUrl}/portal/open#${customer.apiKey}`]) {
      expect(codeOf(await exchange(customer.apiUrl, { url: guess }))).toBe("404 not_found");
    }
  });
});

describe("the portal's cookie", () => {
  it("is for our own pages over TLS, out of reach of scripts, and lasts 12 hours at most", async () => {
    const { setCookie } = await byLink({ expires_in: 2_592_000 });
    expect(setCookie).toMatch(
      /^__Host-portal=\w+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await byLink({ expires_in: 60 })).setCookie).toMatch(/Max-Age=(59|60)$/);
  });

  it("changes nothing for a page elsewhere, or without the session's proof", async () => {
    const { headers } = await byLink();
    const other = await byLink();
    const path = `${customer.apiUrl}/v2/porting_orders/${order}`;
    const forgeries = [
      { Cookie: headers.Cookie },
      { ...headers, Origin: "https://evil.example" },
      { ...headers, Origin: "null" },
      { Cookie: headers.Cookie, "Portal-CSRF": headers["Portal-CSRF"] },
      { Cookie: headers.Cookie, Origin: headers.Origin },
      { ...headers, "Portal-CSRF": other.headers["Portal-CSRF"] },
    ];
    for (const forged of forgeries) {
      const request = { method: "PATCH", headers: forged, body: { customer_reference: "forged" } };
      expect(codeOf(await ask(path, request))).toBe("403 forbidden");
    }
    const read = await call(path, { headers: { Cookie: headers.Cookie } });
    expect(read.body).toMatchObject({ customer_reference: "" });
  });

  it("is no key: it does not work in a header", async () => {
    const { headers } = await byLink();
    const value = headers.Cookie.split("=")[1] ?? "";
    const url = `${customer.apiUrl}/v2/porting_orders`;
    expect(codeOf(await call(url, { key: value }))).toBe("401 unauthorized");
    const asKey = { headers: { "X-API-Key": value } };
    expect(codeOf(await call(url, asKey))).toBe("401 unauthorized");
  });

  it("ends when its time is up, when it is signed out, and with the key that made it", async () => {
    const visitors = [await byLink(), await byLink()] as const;
    const database = await connectClient(product.databaseUrl);
    const path = "/v2/porting_orders";
    await visitors[0].ask("DELETE", "/portal/session");
    expect(codeOf(await visitors[0].ask("GET", path))).toBe("401 unauthorized");
    expect((await visitors[1].ask("GET", path)).status).toBe(200);
    await database.query("update accounts.portal_cookies set expires_at = now() - interval '1 s'");
    expect(codeOf(await visitors[1].ask("GET", path))).toBe("401 unauthorized");

    const url = `${customer.apiUrl}/v2/api_keys`;
    const key = await call(url, { method: "POST", key: customer.apiKey, body: {} });
    const byKey = { apiUrl: customer.apiUrl, apiKey: textOf(key, "key") };
    const unopened = await newLink(byKey);
    const last = await visit(customer.apiUrl, await newLink(byKey));
    expect((await last.ask("GET", path)).status).toBe(200);
    await call(`${url}/${textOf(key, "id")}`, { method: "DELETE", key: customer.apiKey });
    expect(codeOf(await last.ask("GET", path))).toBe("401 unauthorized");
    expect(codeOf(await exchange(customer.apiUrl, unopened))).toBe("409 invalid_state");
  });

  it("tells of the account's suspension, which ends it for good", async () => {
    const other = await createAccount(product, "Suspended for a while");
    const unopened = await newLink(other);
    const visitor = await visit(other.apiUrl, await newLink(other));
    const me = await call(`${other.apiUrl}/portal/session`, { headers: visitor.headers });
    expect(me.body).toMatchObject({ account_name: "Suspended for a while", order_id: null });
    const accounts = `${product.deskUrl}/desk/v1/accounts`;
    const key = product.deskToken;
    const found = await call(`${accounts}?q=Suspended`, { key });
    const account = `${accounts}/${String(dataOf(found)[0]?.["id"])}`;
    await call(`${account}/suspend`, { method: "POST", key, body: { reason: "A test" } });
    const path = "/v2/porting_orders";
    expect(codeOf(await visitor.ask("GET", path))).toBe("403 account_suspended");
    expect(codeOf(await exchange(other.apiUrl, unopened))).toBe("403 account_suspended");
    await call(`${account}/reinstate`, { method: "POST", key, body: {} });
    expect(codeOf(await visitor.ask("GET", path))).toBe("401 unauthorized");
    expect(codeOf(await exchange(other.apiUrl, unopened))).toBe("409 invalid_state");
  });
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
    for (const visitor of [await byLink(), await byLink({ order_id: order })]) {
      const sent = method === "POST" ? {} : undefined;
      const answer = await visitor.ask(method, path.replace(":id", SOME_ID), sent);
      expect(codeOf(answer)).toBe("404 not_found");
    }
  });

  it("is never a port-out's PIN", async () => {
    const visitor = await byLink();
    const answer = await visitor.ask("PATCH", "/v2/numbers/%2B12125550199", {
      port_out_pin: "1234",
    });
    expect(["403 forbidden", "404 not_found"]).toContain(codeOf(answer));
  });

  it("by an order's link is that order, without where its webhooks go", async () => {
    const visitor = await byLink({ order_id: order });
    const shown = await visitor.ask("GET", `/v2/porting_orders/${order}`);
    expect(shown.body).toMatchObject({ id: order, webhook_url: null });
    const path = `/v2/porting_orders/${order.toUpperCase()}/readiness`;
    expect((await visitor.ask("GET", path)).status).toBe(200);
  });

  it("by an order's link is nothing of another order, and no list", async () => {
    const other = await uploadDocument(customer, { orderId: otherOrder, slug: "invoice" });
    const own = await uploadDocument(customer, { orderId: order, slug: "invoice" });
    const visitor = await byLink({ order_id: order });
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
      expect(`${method} ${path}: ${codeOf(answer)}`).toBe(`${method} ${path}: 404 not_found`);
    }
    const document = `${customer.apiUrl}/v2/documents/${String(own["field_value"])}`;
    expect((await fetch(document, { headers: visitor.headers })).status).toBe(200);
  });

  it.each([
    ["PATCH", "", { webhook_url: "https://evil.example" }],
    ["DELETE", "", undefined],
    ["POST", "/cancel", {}],
  ])("by an order's link is not %s of the order%s", async (method, below, body) => {
    const visitor = await byLink({ order_id: order });
    const answer = await visitor.ask(method, `/v2/porting_orders/${order}${below}`, body);
    expect(codeOf(answer)).toBe("404 not_found");
  });
});

describe("what was done by a link", () => {
  it("says so in the timeline and in the audit log", async () => {
    const visitor = await byLink({ order_id: order });
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
    const visitor = await byLink();
    const url = `${customer.apiUrl}/v2/porting_orders/${order}/comments`;
    const headers = { ...visitor.headers, "Idempotency-Key": "portal-once" };
    const say = () => call(url, { method: "POST", headers, body: { body: "Said once." } });
    const [first, second] = [await say(), await say()];
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });
});
