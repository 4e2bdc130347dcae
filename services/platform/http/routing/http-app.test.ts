import { connect } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";

import { AppError } from "../../errors.ts";
import { createReadiness } from "../../health.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { createHttpApp } from "./http-app.ts";
import { startHttpServer, type HttpServer } from "./http-server.ts";
import { keyset, page, pageQuery } from "../paging/paging.ts";
import { accepted, created, noContent, ok } from "./reply.ts";
import { routesFor } from "./route.ts";

const KEY = "nps_live_abcdefgh";
const ID = "0198c0de-0000-7000-8000-000000000001";
const OTHER_ID = "0198c0de-0000-7000-8000-000000000002";
const JSON_TYPE = { "Content-Type": "application/json" };

interface Owner {
  readonly accountId: string;
  readonly suspended: boolean;
}
const { GET, POST, DELETE } = routesFor<Owner, "account">("account");
const owned = { answers: {} };

const things = [
  GET("/v2/things", "A test", {
    ...owned,
    query: z.strictObject({ ...pageQuery, tag: z.array(z.enum(["a", "b"])).optional() }),
    handle: (request) => {
      const { fetch } = keyset(request.query);
      const rows = [ID, OTHER_ID].slice(0, fetch).map((id) => ({ id, tag: request.query.tag }));
      return page(request, rows);
    },
  }),
  POST("/v2/things", "A test", {
    ...owned,
    noStore: true,
    body: z.strictObject({
      name: z.string().max(10),
      tags: z.array(z.enum(["a", "b"])).optional(),
      nested: z.unknown().optional(),
    }),
    handle: ({ body, principal }) =>
      created({ id: ID, owner: principal.accountId, ...body }, `/v2/things/${ID}`),
  }),
  GET("/v2/things/:id", "A test", {
    ...owned,
    handle: ({ params }) => ok({ id: params.id }),
  }),
  DELETE("/v2/things/:id", "A test", {
    ...owned,
    handle: () => noContent(),
  }),
  GET("/v2/things/special", "A test", {
    ...owned,
    handle: () => ok({ special: true }),
  }),
  POST("/v2/things/:id/retry", "A test", {
    ...owned,
    handle: () => accepted({}),
  }),
  GET("/v2/fails/:how", "A test", {
    ...owned,
    params: { how: z.string() },
    handle: ({ params }) => {
      if (params.how === "state") throw new AppError("invalid_state", "It is over.");
      if (params.how === "database") throw new AppError("database_unavailable", "at 10.0.0.7");
      throw new Error("password=hunter2");
    },
  }),
];

const quiet = createLogger("test", "silent");
const metrics = createMetrics("test");
let databaseAway = false;
let admitted = true;
let server: HttpServer;

beforeAll(async () => {
  const checks = {
    database: () =>
      databaseAway ? Promise.reject(new Error("refused by 10.0.0.7")) : Promise.resolve(),
  };
  const app = createHttpApp<Owner>({
    routes: things,
    protectedPrefix: "/v2",
    log: quiet,
    metrics,
    readiness: createReadiness(checks, quiet),
    publicUrl: "https://api.example.com",
    authenticate: (key) =>
      Promise.resolve(
        key === KEY || key === "suspended"
          ? { accountId: "account-1", suspended: key === "suspended" }
          : null,
      ),
    admit: () => {
      if (!admitted) throw new AppError("rate_limited", "Slow down.");
    },
    authorize: ({ suspended }) => {
      if (suspended) throw new AppError("account_suspended", "Ask your operator.");
    },
  });
  server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log: quiet });
});

afterAll(() => server.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

interface Init {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, init: Init = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    ...init,
    headers: { "X-API-Key": KEY, ...init.headers },
  });
  const text = await response.text();
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
  call("POST", "/v2/things", { body, headers });

/** Sends bytes as given and returns everything received until the server closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text, "latin1"));
    let answer = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const head = (lines: string[]) => [...lines, "Connection: close", "", ""].join("\r\n");
const statusOf = (answer: string) => Number(answer.slice(9, 12));

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({
    type: `urn:numberporting:problem:${code}`,
    status,
    code,
    request_id: answer.headers.get("request-id"),
  });
  expect(answer.status).toBe(status);
}

describe("responses", () => {
  it("creates with 201, an absolute Location and no-store", async () => {
    const answer = await post('{"name":"x"}');
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: ID, owner: "account-1", name: "x" });
    expect(answer.headers.get("location")).toBe(`https://api.example.com/v2/things/${ID}`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("answers 204 and 202", async () => {
    expect((await call("DELETE", `/v2/things/${ID}`)).status).toBe(204);
    expect((await call("POST", `/v2/things/${ID}/retry`)).status).toBe(202);
  });

  it("keeps a client's valid request id, and creates one otherwise", async () => {
    const kept = await call("GET", "/v2/things", { headers: { "Request-Id": "client_id-1" } });
    expect(kept.headers.get("request-id")).toBe("client_id-1");
    const made = await call("GET", "/v2/things", { headers: { "Request-Id": "a b" } });
    expect(made.headers.get("request-id")).toMatch(/^[A-Za-z0-9_-]{36}$/);
  });

  it("pages with a Link on the configured URL, keeping the other parameters", async () => {
    const first = await call("GET", "/v2/things?limit=1&tag=a&tag=b");
    expect(first.body).toEqual({ data: [{ id: ID, tag: ["a", "b"] }], has_more: true });
    expect(first.headers.get("link")).toBe(
      `<https://api.example.com/v2/things?limit=1&tag=a&tag=b&starting_after=${ID}>; rel="next"`,
    );
  });

  it("prefers a fixed path to a parameter", async () => {
    expect((await call("GET", "/v2/things/special")).body).toEqual({ special: true });
  });

  it("serves HEAD wherever it serves GET, without a body", async () => {
    const answer = await call("HEAD", "/v2/things");
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(0);
  });
});

describe("keys", () => {
  const target = ["GET /v2/things HTTP/1.1", "Host: x"];
  it.each([
    ["no key", [], 401],
    ["a lower-case scheme", [`authorization: bearer ${KEY}`], 200],
    ["both headers, equal", [`Authorization: Bearer ${KEY}`, `X-API-Key: ${KEY}`], 200],
    ["both headers, different", [`Authorization: Bearer ${KEY}`, "X-API-Key: other"], 401],
    ["Authorization twice", [`Authorization: Bearer ${KEY}`, `Authorization: Bearer ${KEY}`], 401],
    ["X-API-Key twice", [`X-API-Key: ${KEY}`, `X-API-Key: ${KEY}`], 401],
    ["another scheme", [`Authorization: Basic ${KEY}`, `X-API-Key: ${KEY}`], 401],
    ["an empty bearer", ["Authorization: Bearer", `X-API-Key: ${KEY}`], 401],
    ["a tab inside", [`X-API-Key: nps_live\t${KEY}`], 401],
    ["two tokens", [`Authorization: Bearer ${KEY} ${KEY}`], 401],
    ["a byte beyond ASCII", ["X-API-Key: nps_\xe9"], 401],
    ["a control byte", ["X-API-Key: nps_\x01"], 400],
  ])("%s", async (_, headers, status) => {
    expect(statusOf(await raw(head([...target, ...headers])))).toBe(status);
  });

  it("makes all 401 responses identical", async () => {
    const none = await call("GET", "/v2/things", { headers: { "X-API-Key": "" } });
    const unknown = await call("GET", "/v2/nowhere", { headers: { "X-API-Key": "wrong" } });
    for (const answer of [none, unknown]) {
      expectProblem(answer, 401, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect({ ...none.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });
  });
});

describe("order of checks", () => {
  const NO_KEY = { "X-API-Key": "wrong" };
  it("401 precedes 429, 429 precedes 403, 403 precedes 404", async () => {
    admitted = false;
    expectProblem(await call("GET", "/v2/nowhere", { headers: NO_KEY }), 401, "unauthorized");
    const suspended = { headers: { "X-API-Key": "suspended" } };
    const limited = await call("GET", "/v2/nowhere", suspended);
    expectProblem(limited, 429, "rate_limited");
    expect(limited.headers.get("retry-after")).toBe("1");
    admitted = true;
    expectProblem(await call("GET", "/v2/nowhere", suspended), 403, "account_suspended");
  });

  it("404 precedes 415, 415 precedes 413, 413 precedes 400, 400 precedes 422", async () => {
    const text = { "Content-Type": "text/plain" };
    const huge = "x".repeat(1_100_000);
    const at = (path: string, body: string, headers = JSON_TYPE) =>
      call("POST", path, { body, headers });
    expectProblem(await at("/v2/nowhere", huge, text), 404, "not_found");
    expectProblem(await at("/v2/things", huge, text), 415, "unsupported_media_type");
    expectProblem(await at("/v2/things?no=1", huge), 413, "payload_too_large");
    expectProblem(await at("/v2/things", "{"), 400, "malformed_json");
    expectProblem(await at("/v2/things?no=1", "{}"), 400, "invalid_parameter");
    expectProblem(await at("/v2/things", "{}"), 422, "validation_failed");
  });

  it("returns 404 without a key only outside the protected prefix", async () => {
    expectProblem(await call("GET", "/nowhere", { headers: NO_KEY }), 404, "not_found");
    expectProblem(await call("GET", "/v2x", { headers: NO_KEY }), 404, "not_found");
    expectProblem(await call("PUT", "/v2/things", { headers: NO_KEY }), 401, "unauthorized");
  });
});

describe("paths and methods", () => {
  it.each(["PUT", "OPTIONS", "PATCH"])("%s on a known path is 405 with Allow", async (method) => {
    const answer = await call(method, "/v2/things");
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("TRACE is 405, a method override is ignored, an unknown verb is 400", async () => {
    const key = `X-API-Key: ${KEY}`;
    const trace = await raw(head(["TRACE /v2/things HTTP/1.1", "Host: x", key]));
    expect(statusOf(trace)).toBe(405);
    const override = ["GET /v2/things HTTP/1.1", "Host: x", key, "X-HTTP-Method-Override: DELETE"];
    expect(statusOf(await raw(head(override)))).toBe(200);
    expect(statusOf(await raw(head(["BREW /v2/things HTTP/1.1", "Host: x"])))).toBe(400);
  });

  it.each([
    "/v2/things/",
    "/v2//things",
    "/V2/things/x",
    "/v2/things/not-a-uuid",
    "/v2/things/%00",
    "/v2/things/%zz",
    "/v2/things/%2e%2e",
    `/v2/things/%7B${ID}%7D`,
    `/v2/things/${ID}%252F`,
    `/v2/things/${"a".repeat(9_000)}`,
    "/v2/fails/%00",
  ])("path %# is 404", async (path) => {
    expectProblem(await call("GET", path), 404, "not_found");
  });

  it("accepts an upper-case id and an absolute target", async () => {
    expect((await call("GET", `/v2/things/${ID.toUpperCase()}`)).body).toEqual({ id: ID });
    const absolute = [`GET http://other/v2/things/${ID} HTTP/1.1`, "Host: x", `X-API-Key: ${KEY}`];
    expect(statusOf(await raw(head(absolute)))).toBe(200);
  });

  it("is 406 if Accept excludes JSON", async () => {
    const accept = (value: string) => call("GET", "/v2/things", { headers: { Accept: value } });
    expectProblem(await accept("text/html"), 406, "not_acceptable");
    expectProblem(await accept("application/json;q=0"), 406, "not_acceptable");
    expect((await accept("text/html, */*;q=0.1")).status).toBe(200);
    expect((await accept("application/problem+json")).status).toBe(200);
    expect((await accept("application/json; charset=UTF-8")).status).toBe(200);
    expect((await accept("application/json;charset=utf-8;q=0.9, text/html")).status).toBe(200);
  });
});

describe("queries", () => {
  it.each([
    ["limit=0", "limit"],
    ["limit=251", "limit"],
    ["limit=-1", "limit"],
    ["limit=1e9", "limit"],
    ["limit=NaN", "limit"],
    ["limit=", "limit"],
    ["limit=1&limit=2", "limit"],
    ["order=up", "order"],
    ["starting_after=abc", "starting_after"],
    ["starting_after=", "starting_after"],
    [`starting_after=${ID}&ending_before=${ID}`, "ending_before"],
    ["created_after=2026-02-30T00:00:00Z", "created_after"],
    ["created_after=2026-01-01T00:00:00", "created_after"],
    ["created_before=2026-01-01T24:00:00Z", "created_before"],
    ["tag=c", "tag"],
    ["tag=%00", "tag"],
    ["tag=%ff", "tag"],
    ["colour=red", "colour"],
    ["__proto__=1", "__proto__"],
  ])("%s is 400 with its parameter", async (query, parameter) => {
    const answer = await call("GET", `/v2/things?${query}`);
    expectProblem(answer, 400, "invalid_parameter");
    expect(answer.body["errors"]).toMatchObject([{ parameter }]);
  });

  it("reports every fault at once", async () => {
    const { body } = await call("GET", "/v2/things?limit=0&order=up&colour=red");
    expect(body["errors"]).toMatchObject([
      { parameter: "limit", code: "too_small" },
      { parameter: "order", code: "invalid_value" },
      { parameter: "colour", code: "unknown_parameter" },
    ]);
  });
});

describe("failures", () => {
  it("shows a refusal, hides an internal error, and sets Retry-After if a dependency is unavailable", async () => {
    expectProblem(await call("GET", "/v2/fails/state"), 409, "invalid_state");
    const internal = await call("GET", "/v2/fails/other");
    expectProblem(internal, 500, "internal");
    expect(JSON.stringify(internal.body)).not.toContain("hunter2");
    const away = await call("GET", "/v2/fails/database");
    expectProblem(away, 503, "unavailable");
    expect(away.headers.get("retry-after")).toBe("2");
    expect(JSON.stringify(away.body)).not.toContain("10.0.0.7");
  });

  it("is always alive, and names unavailable dependencies when not ready", async () => {
    databaseAway = true;
    const away = await call("GET", "/readyz", { headers: { "X-API-Key": "" } });
    databaseAway = false;
    expectProblem(away, 503, "unavailable");
    expect(away.body["errors"]).toEqual([{ code: "dependency_away", detail: "database" }]);
    expect(JSON.stringify(away.body)).not.toContain("10.0.0.7");
    expect((await call("GET", "/readyz")).status).toBe(200);
    expect((await call("GET", "/healthz")).body).toEqual({ status: "alive" });
    const counted = 'http_requests_total{route="/v2/things",method="GET",status="200"';
    const text = await fetch(`http://127.0.0.1:${server.port}/metrics`).then((r) => r.text());
    expect(text).toContain(counted);
  });
});
