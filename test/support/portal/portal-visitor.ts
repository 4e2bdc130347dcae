import { z } from "zod";
import { call, textOf, type Answer, type Call } from "../http/call.ts";
import type { CustomerAccess } from "../orders/fulfil-order.ts";

export interface PortalLink {
  readonly id: string;
  readonly url: string;
}

/** A new link into the portal, to the account or, with `order_id`, to an order. */
export async function newLink(
  { apiUrl, apiKey: key }: CustomerAccess,
  body: Readonly<Record<string, unknown>> = {},
): Promise<PortalLink> {
  const made = await call(`${apiUrl}/v2/portal_sessions`, { method: "POST", key, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { id: textOf(made, "id"), url: textOf(made, "url") };
}

/** Exchanges a link as the portal's page does. */
export function exchange(apiUrl: string, { url }: Pick<PortalLink, "url">): Promise<Answer> {
  const headers = { Origin: new URL(apiUrl).origin };
  const body = { link: new URL(url).hash.slice(1) };
  return call(`${apiUrl}/portal/session`, { method: "POST", headers, body });
}

/** A browser that a link let in, as far as the API sees it. */
export interface PortalVisitor {
  readonly headers: Readonly<Record<"Cookie" | "Origin" | "Portal-CSRF", string>>;
  readonly setCookie: string;
  /** One request with everything that the portal's page sends. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** @throws where the link does not open */
export async function visit(apiUrl: string, link: Pick<PortalLink, "url">): Promise<PortalVisitor> {
  const opened = await exchange(apiUrl, link);
  const setCookie = z.string().parse(opened.headers.get("Set-Cookie"));
  const headers = {
    Cookie: z.string().parse(setCookie.split(";")[0]),
    Origin: new URL(apiUrl).origin,
    "Portal-CSRF": textOf(opened, "csrf"),
  };
  return {
    headers,
    setCookie,
    ask: (method, path, body) => ask(apiUrl + path, { method, headers, body }),
  };
}

/** A visitor by a new link. */
export async function visitByLink(
  customer: CustomerAccess,
  body: Readonly<Record<string, unknown>> = {},
): Promise<PortalVisitor> {
  return visit(customer.apiUrl, await newLink(customer, body));
}

/** One request by cookie, whose refusals the document does not list: it describes what a key is answered. */
export async function ask(
  url: string,
  { method = "GET", headers, body }: Pick<Call, "method" | "headers" | "body">,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answered = z.record(z.string(), z.unknown()).nullable();
  const { status } = response;
  return {
    status,
    headers: response.headers,
    body: answered.parse(text === "" ? null : JSON.parse(text)),
  };
}
