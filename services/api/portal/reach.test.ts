import { describe, expect, it } from "@jest/globals";
import type { PortalCaller } from "../access/principal.ts";
import { requireReach, PORTAL_REACH, type RouteName } from "./reach.ts";

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
