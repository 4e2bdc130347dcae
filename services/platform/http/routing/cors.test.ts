import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";

import { origins } from "../../config.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { createHttpApp } from "./http-app.ts";
import { startHttpServer, type HttpServer } from "./http-server.ts";
import { created } from "./reply.ts";
import { routesFor } from "./route.ts";
import { noDatabase } from "../../../../test/support/http/no-database.ts";

const PAGE = "https://app.example.com";
const KEY = { "X-API-Key": "a-key" };

const { POST } = routesFor<object, "account">("account");
const things = POST("/v2/things", "A test", {
  answers: {},
  handle: () => created({}, "/v2/things/1"),
});

let server: HttpServer | null = null;

afterEach(() => server?.stop());

async function serve(corsOrigins: readonly string[]): Promise<void> {
  const log = createLogger("test", "silent");
  const app = createHttpApp<object>({
    routes: [things],
    protectedPrefix: "/v2",
    pool: noDatabase,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    authenticate: (key) => Promise.resolve(key === null ? null : {}),
    corsOrigins,
  });
  server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
}

async function call(method: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`http://127.0.0.1:${server?.port ?? 0}/v2/things`, {
    method,
    headers,
  });
  await answer.text();
  const cors = Object.fromEntries(
    [...answer.headers].filter(([name]) => name.startsWith("access-control-")),
  );
  return { status: answer.status, vary: answer.headers.get("Vary"), cors };
}

const ask = (origin: string) =>
  call("OPTIONS", {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "x-api-key, content-type, idempotency-key",
  });

describe("a web page of a known origin", () => {
  it("passes the preflight without a key", async () => {
    await serve([PAGE]);
    const { status, vary, cors } = await ask(PAGE);
    expect([status, vary]).toEqual([204, "Origin"]);
    expect(cors).toEqual({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers": expect.stringContaining("Idempotency-Key"),
      "access-control-max-age": "600",
    });
  });

  it("may read responses and refusals, and their headers", async () => {
    await serve([PAGE]);
    const good = await call("POST", { Origin: PAGE, ...KEY });
    const bad = await call("POST", { Origin: PAGE });
    expect([good.status, bad.status]).toEqual([201, 401]);
    expect(good.cors["access-control-expose-headers"]).toContain("Request-Id");
    expect(bad.cors["access-control-allow-origin"]).toBe(PAGE);
  });

  it("is any page if all origins are allowed", async () => {
    await serve(["*"]);
    const { cors, vary } = await call("POST", { Origin: "https://any.example", ...KEY });
    expect([cors["access-control-allow-origin"], vary]).toEqual(["*", null]);
  });
});

describe("a web page of another origin", () => {
  it.each([
    ["if some origins are allowed", [PAGE]],
    ["if none are allowed", []],
  ])("gets no CORS headers, %s", async (_, known) => {
    await serve(known);
    const asked = await ask("https://evil.example");
    const sent = await call("POST", { Origin: "https://evil.example", ...KEY });
    expect([asked.status, asked.cors]).toEqual([401, {}]);
    expect([sent.status, sent.cors]).toEqual([201, {}]);
  });

  it("still gets 405 for an OPTIONS request that is not a preflight", async () => {
    await serve([PAGE]);
    const { status } = await call("OPTIONS", { Origin: PAGE, ...KEY });
    expect(status).toBe(405);
  });
});

describe("the list of origins", () => {
  it.each(["https://app.example.com/", "app.example.com", "https://a.example/path", "null"])(
    "refuses %s",
    (text) => {
      expect(origins().safeParse(text).success).toBe(false);
    },
  );

  it("accepts several, and *", () => {
    const read = z.object({ list: origins() }).parse({ list: `${PAGE}, http://localhost:5173,*` });
    expect(read.list).toEqual([PAGE, "http://localhost:5173", "*"]);
  });
});
