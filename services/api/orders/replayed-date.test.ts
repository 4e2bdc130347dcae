import { describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { AppError } from "../../platform/errors.ts";
import type { RunOnce } from "../../platform/idempotency/idempotency-key.ts";
import { prepareFor, runPrepared } from "../../platform/http/routing/preparing.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { portingOrderRoutes } from "./routes.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const PASSED = "2026-02-28T12:00:00+01:00";

const refusedUrl = new AppError("webhook_url_blocked", "It is refused.", {
  faults: [{ pointer: "#/webhook_url", code: "blocked_address", detail: "It is refused." }],
});
const deps = {
  bus: {
    clock: { now: () => NOW },
  },
  directory: { carrierOf: () => null, rangeOf: () => null },
  checkUrl: () => Promise.reject(refusedUrl),
} as unknown as ApiDeps;

const db = { query: () => Promise.resolve({ rows: [] }) } as unknown as Pool;
const routes = portingOrderRoutes(deps);
const [create, change] = (["POST", "PATCH"] as const).map((method) =>
  routes.find((route) => route.method === method && route.body !== undefined),
);

const preparing = prepareFor("somebody");
const replayed = ok({ replayed: true });

/** Runs a request of which `once` decides whether it is prepared. */
function run(route: CustomerRoute | undefined, body: unknown, isReplay: boolean) {
  if (route === undefined) throw new Error("there is no such route");
  const principal = { accountId: "a", keyId: "k", suspended: false };
  const request = { db, principal, params: { id: "i" }, body: route.body?.parse(body) };
  const once: RunOnce = async (prepare, handle) => {
    if (isReplay) return replayed;
    await prepare?.();
    await handle(db);
    return ok({});
  };
  return runPrepared(route, request as Parameters<typeof runPrepared>[1], { preparing, once });
}

describe("a port date that has passed", () => {
  it.each([
    { route: create, fields: { phone_numbers: ["+1"] }, other: ["#/phone_numbers/0"] },
    { route: change, fields: {}, other: [] },
  ])("is refused with all other faults of $fields", async ({ route, fields, other }) => {
    const body = { ...fields, foc_requested: PASSED, webhook_url: "https://10.0.0.1" };
    const refusal = await run(route, body, false).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "validation_failed",
      faults: ["#/foc_requested", "#/webhook_url", ...other].map((pointer) => ({ pointer })),
    });
  });

  it.each([
    ["creation", create, { phone_numbers: ["+12125550100"] }],
    ["change", change, {}],
  ])(
    "does not keep the answer of an earlier %s from being replayed",
    async (_what, route, body) => {
      expect(await run(route, { ...body, foc_requested: PASSED }, true)).toBe(replayed);
    },
  );
});
