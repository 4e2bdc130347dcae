import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf, outcomeOf, type Answer } from "../../support/http/call.ts";
import { newPortalOrder } from "../../support/portal/portal-order.ts";
import { ask, newLink, visit, visitByLink } from "../../support/portal/portal-visitor.ts";
import { LOGO } from "../../support/portal/test-logo.ts";
import { createAccount } from "../../support/product/create-account.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const PATH = "/v2/portal_branding";
const LOGO_URL = `/portal/logos/${createHash("sha256").update(LOGO).digest("hex")}`;

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

const set = (body: unknown): Promise<Answer> =>
  call(product.apiUrl + PATH, { method: "PATCH", key: product.apiKey, body });

const read = async () => (await call(product.apiUrl + PATH, { key: product.apiKey })).body;

describe("what end users see of an account", () => {
  it("is nothing until it is set, and one part after the other", async () => {
    const customer = { ...product, ...(await createAccount(product, "Branded")) };
    const own = (body: unknown) =>
      call(product.apiUrl + PATH, { method: "PATCH", key: customer.apiKey, body });
    const none = { name: null, colour: null, logo_url: null };
    expect((await call(product.apiUrl + PATH, { key: customer.apiKey })).body).toEqual({
      ...none,
      updated_at: null,
    });
    expect((await own({ name: "  Acme Telecom " })).body).toMatchObject({ name: "Acme Telecom" });
    expect((await own({ colour: "#0A6B4F" })).body).toMatchObject({
      ...{ name: "Acme Telecom", colour: "#0a6b4f", logo_url: null },
    });
    const logo = LOGO.toString("base64");
    expect((await own({ logo })).body).toMatchObject({ colour: "#0a6b4f", logo_url: LOGO_URL });
    expect((await own({ colour: null })).body).toMatchObject({ colour: null, logo_url: LOGO_URL });
    expect((await own({ name: null, logo: null })).body).toMatchObject(none);
    expect((await fetch(product.apiUrl + LOGO_URL)).status).toBe(404);
  });

  it.each([
    [{ name: "" }, "name", "required"],
    [{ name: "x".repeat(65) }, "name", "too_long"],
    [{ name: "Acme \u202e moc" }, "name", "invalid_characters"],
    [{ colour: "red" }, "colour", "invalid_format"],
    [{ logo: Buffer.from("<svg/>").toString("base64") }, "logo", "invalid_image"],
  ])("is refused where it is %j", async (body, part, code) => {
    const before = await read();
    const answer = await set(body);
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    expect(answer.body?.["errors"]).toMatchObject([{ pointer: `#/${part}`, code }]);
    expect(await read()).toEqual(before);
  });

  it("is shown before and behind a link to an order, whose holder cannot change it", async () => {
    await set({ name: "Acme Telecom", colour: "#0a6b4f", logo: LOGO.toString("base64") });
    const branding = { name: "Acme Telecom", colour: "#0a6b4f", logo_url: LOGO_URL };
    const order = await newPortalOrder(product);
    const link = await newLink(product, { order_id: order });
    const looked = await ask(`${product.apiUrl}/portal/session/look`, {
      method: "POST",
      headers: { Origin: new URL(product.apiUrl).origin },
      body: { link: new URL(link.url).hash.slice(1) },
    });
    expect(looked.body).toEqual({ order_id: order, branding });
    const visitor = await visit(product.apiUrl, link);
    expect((await visitor.ask("GET", "/portal/session")).body).toMatchObject({
      ...{ account_name: null, branding },
    });
    expect(outcomeOf(await visitor.ask("PATCH", PATH, { name: "Other" }))).toBe("404 not_found");
  });

  it("is looked at without the link being used up, and by our own page alone", async () => {
    const link = await newLink(product);
    const look = (headers: Readonly<Record<string, string>>, secret: string) =>
      ask(`${product.apiUrl}/portal/session/look`, {
        ...{ method: "POST", headers, body: { link: secret } },
      });
    const own = { Origin: new URL(product.apiUrl).origin };
    const secret = new URL(link.url).hash.slice(1);
    expect((await look(own, secret)).status).toBe(200);
    expect(outcomeOf(await look({}, secret))).toBe("403 forbidden");
    expect(outcomeOf(await look(own, "nps_link_unknown"))).toBe("404 not_found");
    await visit(product.apiUrl, link);
    const used = await look(own, secret);
    expect(used.body?.["errors"]).toMatchObject([{ code: "link_used" }]);
  });

  it("has a logo that browsers keep, and that is a picture whatever is asked for", async () => {
    await set({ logo: LOGO.toString("base64") });
    const response = await fetch(product.apiUrl + LOGO_URL, { headers: { Accept: "text/html" } });
    expect(response.headers.get("Content-Type")).toBe("image/png");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Content-Security-Policy")).toMatch(/^sandbox/);
    expect(response.headers.get("Cache-Control")).toMatch(/immutable/);
    expect(Buffer.from(await response.arrayBuffer()).equals(LOGO)).toBe(true);
    expect((await fetch(`${product.apiUrl}/portal/logos/${"0".repeat(64)}`)).status).toBe(404);
  });

  it("is changed by a link to the account too, and the audit log says so", async () => {
    const visitor = await visitByLink(product);
    expect((await visitor.ask("PATCH", PATH, { name: "Acme Phone" })).status).toBe(200);
    const audit = await call(`${product.deskUrl}/desk/v1/audit?action=portal_branding.changed`, {
      key: product.deskToken,
    });
    expect(JSON.stringify(dataOf(audit)[0])).toContain("Acme Phone");
  });
});
