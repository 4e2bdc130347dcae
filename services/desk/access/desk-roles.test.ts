import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { OPERATOR_ROLES, type OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { createLogger } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { createHttpApp } from "../../platform/http/routing/http-app.ts";
import { startHttpServer } from "../../platform/http/routing/http-server.ts";
import type { Method } from "../../platform/http/routing/route.ts";
import { everyDeskRoute } from "../../../test/support/desk/every-desk-route.ts";
import { deskAccess } from "./desk-access.ts";
import type { DeskRoute } from "./desk-routes.ts";
import { noDatabase } from "../../../test/support/http/no-database.ts";

/** The least role of each kind of route (docs/contract/desk-api.md, Roles); the first that fits counts. */
const LEAST: readonly (readonly [RegExp, OperatorRole | "public"])[] = [
  [/^POST \/session$/, "public"],
  [/^DELETE \/session$/, "viewer"],
  [/^GET \/operators/, "admin"],
  [/^GET \//, "viewer"],
  // One of all needs the role lead, which its content shows.
  [/^(POST|DELETE) \/views/, "viewer"],
  [/^[A-Z]+ \/(operators|accounts)/, "admin"],
  [/^POST \/reviews\/:\w+\/assign$/, "lead"],
  [/^POST \/orders\/:\w+\/close$/, "lead"],
  [/^POST \/port_outs\/:\w+\/comments$/, "reviewer"],
  [/^POST \/(numbers|port_outs|dead_letters|deliveries|webhook_endpoints|sandbox)(\/|$)/, "lead"],
  [/^[A-Z]+ \/(reviews|orders)\//, "reviewer"],
  [/^(POST|DELETE) \/rejection_texts/, "reviewer"],
];

const routes = everyDeskRoute();

/** Refused for its content, a request for what there is not must be 404 (docs/contract/customer-api.md, Conventions). */
describe("a route whose path identifies something", () => {
  const identifying = routes.filter(({ path }) => path.includes("/:"));
  it.each(identifying.map((route) => [route.method, route.path, route] as const))(
    "can say that there is none: %s %s",
    (_method, _path, route) => {
      expect([typeof route.find, typeof route.resolve]).toContain("function");
    },
  );
});

/** What ran, of any route. */
let ran: string[] = [];

/** The same route, each step of which only leaves its name. */
function withoutSteps(route: DeskRoute): DeskRoute {
  const leave = (step: string) => () => {
    ran.push(step);
    throw new Error(`${step} ran`);
  };
  return {
    ...route,
    resolve: leave("resolve"),
    find: leave("find"),
    findMoreFaults: leave("findMoreFaults"),
    prepare: leave("prepare"),
    handle: leave("handle"),
  };
}

const clock = { now: () => new Date("2026-03-02T09:00:00Z") };
const access = deskAccess({ pool: noDatabase, clock, publicUrl: undefined });
const ID = "0198c0de-0000-7000-8000-000000000001";
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const log = createLogger("test", "silent");
  const app = createHttpApp({
    ...access,
    routes: routes.map(withoutSteps),
    protectedPrefix: "/desk",
    pool: noDatabase,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    readCredential: ({ req }) => String(req.headers["x-api-key"]),
    authenticate: (credential) => {
      const role = OPERATOR_ROLES.find((one) => one === credential);
      const operator = { operatorId: ID, name: "Ada", tokenId: ID, session: null };
      return Promise.resolve(role === undefined ? null : { ...operator, role });
    },
  });
  const server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
  url = `http://127.0.0.1:${server.port}`;
  stop = () => server.stop();
});
afterAll(() => stop());

/** The status of a request in a role, and what of the route ran. */
async function ask(route: { method: Method; path: string }, role: string) {
  ran = [];
  const path = route.path.replaceAll(/:[a-z_]+/g, ID);
  const { method } = route;
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  const headers = { "X-API-Key": role, "Content-Type": "application/json" };
  const response = await fetch(url + path, { method, headers, ...body });
  const { code } = z.object({ code: z.string() }).parse(await response.json());
  return { status: response.status, code, ran };
}

function leastOf({ method, path }: DeskRoute) {
  const name = `${method} ${path.replace("/desk/v1", "")}`;
  return LEAST.find(([pattern]) => pattern.test(name))?.[1];
}

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s",
  (_, route) => {
    it("names the least role that the contract gives it", () => {
      const least = route.access === "public" ? "public" : route.role;
      expect(least).toBe(leastOf(route));
    });

    it.each(OPERATOR_ROLES)("is answered as the role %s may", async (role) => {
      const answer = await ask(route, role);
      const least = leastOf(route) ?? "admin";
      const refused =
        least !== "public" && OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(least);
      if (refused) expect(answer).toEqual({ status: 403, code: "forbidden", ran: [] });
      else expect(answer.status).not.toBe(403);
    });
  },
);

describe("a route of the desk", () => {
  it("is refused without a token, and none of it runs", async () => {
    for (const route of routes.filter((one) => one.access !== "public")) {
      expect(await ask(route, "nobody")).toEqual({ status: 401, code: "unauthorized", ran: [] });
    }
  });
});
