import { describe, expect, it } from "@jest/globals";
import { API_KEY, issueKey, PORTAL_COOKIE } from "../../domain/account/rules/api-key.ts";
import type { PortalCaller } from "../access/customer-routes.ts";
import {
  cookieExpiry,
  PORTAL_REACH,
  portalCookie,
  readApiCredential,
  refusalOf,
  requireReach,
  type RouteName,
} from "./portal-access.ts";
import type { PresentedLink } from "./store.ts";

const ORDER = "0195c000-0000-7000-8000-000000000001";
const OTHER = "0195c000-0000-7000-8000-000000000002";
const byAccount = { sessionId: "s", orderId: null };
const byOrder = { ...byAccount, orderId: ORDER };

/** What the session gets from a route: `ok`, or the code of the refusal. */
function tried(caller: PortalCaller, route: RouteName, id = ORDER): string {
  try {
    requireReach(caller, route, route.path.replace(/:(id|event_id)/, id));
    return "ok";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const ROUTES = Object.keys(PORTAL_REACH).map((name) => {
  const [method, path] = name.split(" ") as [RouteName["method"], string];
  return { method, path };
});

describe("a portal session", () => {
  it.each([
    { method: "GET", path: "/v2/api_keys" },
    { method: "POST", path: "/v2/api_keys" },
    { method: "DELETE", path: "/v2/api_keys/:id" },
    { method: "POST", path: "/v2/webhook_signing_secret/rotate" },
    { method: "GET", path: "/v2/portal_sessions" },
    { method: "POST", path: "/v2/portal_sessions" },
    { method: "DELETE", path: "/v2/portal_sessions/:id" },
    { method: "GET", path: "/v2/porting/events/stream" },
    { method: "GET", path: "/v2/something_new" },
  ] as const)("never reaches $method $path", (route) => {
    expect(tried(byAccount, route)).toBe("not_found");
    expect(tried(byOrder, route)).toBe("not_found");
  });

  it("of the account reaches every route of the table", () => {
    expect(new Set(ROUTES.map((route) => tried(byAccount, route)))).toEqual(new Set(["ok"]));
  });

  it("of an order reaches what its end user needs, and nothing of another order", () => {
    const reached = ROUTES.filter((route) => tried(byOrder, route) === "ok");
    expect(reached.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v2/porting_orders/:id",
      "GET /v2/porting_orders/:id/readiness",
      "POST /v2/porting_orders/:id/submit",
      "PATCH /v2/porting_orders/:id/requirements/:slug",
      "DELETE /v2/porting_orders/:id/requirements/:slug",
      "GET /v2/porting_orders/:id/loa",
      "POST /v2/porting_orders/:id/loa/sign",
      "GET /v2/porting_orders/:id/comments",
      "POST /v2/porting_orders/:id/comments",
      "GET /v2/porting_orders/:id/timeline",
      "GET /v2/documents/:id",
    ]);
    const others = ROUTES.filter((route) => tried(byOrder, route, OTHER) === "ok");
    expect(others.map(({ path }) => path)).toEqual(["/v2/documents/:id"]);
  });

  it("takes an id in capitals for that id", () => {
    const route = { method: "GET", path: "/v2/porting_orders/:id" } as const;
    expect(tried(byOrder, route, ORDER.toUpperCase())).toBe("ok");
  });
});

const { key: cookie } = issueKey(PORTAL_COOKIE);
const { key } = issueKey(API_KEY);

function credentialOf(headers: Readonly<Record<string, string>>): string | null {
  const req = { headers, rawHeaders: Object.entries(headers).flat() };
  return readApiCredential({ req } as Parameters<typeof readApiCredential>[0]);
}

describe("the credential of a request to the API", () => {
  it("is the portal's cookie where there is no key", () => {
    expect(credentialOf({ cookie: `a=b; __Host-portal=${cookie}; c=d` })).toBe(cookie);
  });

  it("is the key where both are there, even a bad one", () => {
    const both = { cookie: `__Host-portal=${cookie}` };
    expect(credentialOf({ ...both, authorization: `Bearer ${key}` })).toBe(key);
    expect(credentialOf({ ...both, "x-api-key": "" })).toBeNull();
  });

  it.each([
    ["a cookie sent as a key", { authorization: `Bearer ${cookie}` }],
    ["a cookie twice", { cookie: `__Host-portal=${cookie}; __Host-portal=${cookie}` }],
    ["a cookie without its checksum", { cookie: `__Host-portal=${cookie.slice(0, -1)}` }],
    ["a key sent as a cookie", { cookie: `__Host-portal=${key}` }],
    ["a cookie of another name", { cookie: `portal=${cookie}` }],
    ["nothing", {}],
  ])("is never %s", (_, headers) => {
    expect(credentialOf(headers)).toBeNull();
  });
});

describe("the portal's cookie", () => {
  it("is for our own pages over TLS alone, and out of reach of scripts", () => {
    expect(portalCookie(cookie, 60)).toBe(
      `__Host-portal=${cookie}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=60`,
    );
  });
});

const now = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-01T13:00:00.000Z");
const link: PresentedLink = {
  id: "0195c000-0000-7000-8000-000000000001",
  account_id: "0195c000-0000-7000-8000-000000000002",
  api_key_id: "0195c000-0000-7000-8000-000000000003",
  account_name: "Example Telecom",
  order_id: null,
  created_at: now,
  expires_at: later,
  opened_at: null,
  ended_at: null,
  is_suspended: false,
  is_key_revoked: false,
};

describe("a portal link", () => {
  it("to the account opens once", () => {
    expect(refusalOf(link, now)).toBeNull();
    expect(refusalOf({ ...link, opened_at: now }, now)).toBe("used");
  });

  it("to an order opens again and again", () => {
    expect(refusalOf({ ...link, order_id: link.id, opened_at: now }, now)).toBeNull();
  });

  it.each([
    ["its time is up", { expires_at: now }, "expired"],
    ["it was ended", { ended_at: now }, "ended"],
    ["the key that made it is revoked", { is_key_revoked: true }, "ended"],
    [
      "the account is suspended, which ended it",
      { is_suspended: true, ended_at: now },
      "suspended",
    ],
  ] as const)("opens nothing when %s", (_, change, refusal) => {
    for (const order_id of [null, link.id]) {
      expect(refusalOf({ ...link, ...change, order_id }, now)).toBe(refusal);
    }
  });
});

describe("the portal's cookie", () => {
  it("lasts 12 hours", () => {
    const expires_at = new Date("2026-03-31T12:00:00.000Z");
    expect(cookieExpiry({ ...link, expires_at }, now)).toEqual(
      new Date("2026-03-02T00:00:00.000Z"),
    );
  });

  it("never lasts longer than its session", () => {
    expect(cookieExpiry(link, now)).toEqual(later);
  });
});
