import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf, outcomeOf, textOf } from "../support/http/call.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { newPortalOrder } from "../support/portal/portal-order.ts";
import { ask, exchange, newLink, visit, visitByLink } from "../support/portal/portal-visitor.ts";
import { createAccount } from "../support/product/create-account.ts";
import type { Product } from "../support/product/product.ts";
import { startProduct } from "../support/product/shared-products.ts";
import { connectClient } from "../support/stack/test-client.ts";

const SOME_ID = "0195c000-0000-7000-8000-000000000001";

let product: Product;
let customer: CustomerAccess;
let order: string;

beforeAll(async () => {
  product = await startProduct();
  customer = product;
  order = await newPortalOrder(customer);
});

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
      expect(outcomeOf(refused)).toBe("422 validation_failed");
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
      expect(outcomeOf(refused)).toBe("404 not_found");
    }
  });

  it("is exchanged from our own page alone, and a mail scanner's GET uses up nothing", async () => {
    const link = await newLink(customer);
    expect((await fetch(link.url, { headers: { Accept: "text/html" } })).status).toBe(200);
    const body = { link: new URL(link.url).hash.slice(1) };
    for (const headers of [{}, { Origin: "https://evil.example" }]) {
      const url = `${customer.apiUrl}/portal/session`;
      const refused = await call(url, { method: "POST", headers, body });
      expect(outcomeOf(refused)).toBe("403 forbidden");
    }
    expect((await exchange(customer.apiUrl, link)).status).toBe(200);
  });

  it("lets one of many that race in", async () => {
    const link = await newLink(customer);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => exchange(customer.apiUrl, link)),
    );
    expect(answers.map(outcomeOf).toSorted()).toEqual([
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
      expect(outcomeOf(await visitor.ask("GET", path))).toBe("401 unauthorized");
    }
    expect(outcomeOf(await exchange(customer.apiUrl, link))).toBe("409 invalid_state");
  });

  it("is guessed in vain", async () => {
    const { url } = await newLink(customer);
    const wrong = url.replace(/#nps_link_./, (start) => `${start.slice(0, -1)}~`);
    for (const guess of [wrong, `${customer.apiUrl}/portal/open#${customer.apiKey}`]) {
      expect(outcomeOf(await exchange(customer.apiUrl, { url: guess }))).toBe("404 not_found");
    }
  });
});

describe("the portal's cookie", () => {
  it("is for our own pages over TLS, out of reach of scripts, and lasts 12 hours at most", async () => {
    const { setCookie } = await visitByLink(customer, { expires_in: 2_592_000 });
    expect(setCookie).toMatch(
      /^__Host-portal=\w+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await visitByLink(customer, { expires_in: 60 })).setCookie).toMatch(/Max-Age=(59|60)$/);
  });

  it("changes nothing for a page elsewhere, or without the session's proof", async () => {
    const { headers } = await visitByLink(customer);
    const other = await visitByLink(customer);
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
      expect(outcomeOf(await ask(path, request))).toBe("403 forbidden");
    }
    const read = await call(path, { headers: { Cookie: headers.Cookie } });
    expect(read.body).toMatchObject({ customer_reference: "" });
  });

  it("is no key: it does not work in a header", async () => {
    const { headers } = await visitByLink(customer);
    const value = headers.Cookie.split("=")[1] ?? "";
    const url = `${customer.apiUrl}/v2/porting_orders`;
    expect(outcomeOf(await call(url, { key: value }))).toBe("401 unauthorized");
    const asKey = { headers: { "X-API-Key": value } };
    expect(outcomeOf(await call(url, asKey))).toBe("401 unauthorized");
  });

  it("ends when its time is up, when it is signed out, and with the key that made it", async () => {
    const visitors = [await visitByLink(customer), await visitByLink(customer)] as const;
    const database = await connectClient(product.databaseUrl);
    const path = "/v2/porting_orders";
    await visitors[0].ask("DELETE", "/portal/session");
    expect(outcomeOf(await visitors[0].ask("GET", path))).toBe("401 unauthorized");
    expect((await visitors[1].ask("GET", path)).status).toBe(200);
    await database.query("update accounts.portal_cookies set expires_at = now() - interval '1 s'");
    expect(outcomeOf(await visitors[1].ask("GET", path))).toBe("401 unauthorized");

    const url = `${customer.apiUrl}/v2/api_keys`;
    const key = await call(url, { method: "POST", key: customer.apiKey, body: {} });
    const byKey = { apiUrl: customer.apiUrl, apiKey: textOf(key, "key") };
    const unopened = await newLink(byKey);
    const last = await visit(customer.apiUrl, await newLink(byKey));
    expect((await last.ask("GET", path)).status).toBe(200);
    await call(`${url}/${textOf(key, "id")}`, { method: "DELETE", key: customer.apiKey });
    expect(outcomeOf(await last.ask("GET", path))).toBe("401 unauthorized");
    expect(outcomeOf(await exchange(customer.apiUrl, unopened))).toBe("409 invalid_state");
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
    expect(outcomeOf(await visitor.ask("GET", path))).toBe("403 account_suspended");
    expect(outcomeOf(await exchange(other.apiUrl, unopened))).toBe("403 account_suspended");
    await call(`${account}/reinstate`, { method: "POST", key, body: {} });
    expect(outcomeOf(await visitor.ask("GET", path))).toBe("401 unauthorized");
    expect(outcomeOf(await exchange(other.apiUrl, unopened))).toBe("409 invalid_state");
  });
});
