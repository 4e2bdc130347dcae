import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import {
  expectProblem,
  head,
  ID,
  KEY,
  startThingsApp,
  statusOf,
  type ThingsApp,
} from "../../../../test/support/http/things-app.ts";
import { AppError } from "../../errors.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

let databaseAway = false;
let admitted = true;
let app: ThingsApp;

beforeAll(async () => {
  app = await startThingsApp({
    database: () =>
      databaseAway ? Promise.reject(new Error("refused by 10.0.0.7")) : Promise.resolve(),
    admit: () => {
      if (!admitted) throw new AppError("rate_limited", "Slow down.");
    },
  });
});

afterAll(() => app.stop());

const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
  app.call("POST", "/v2/things", { body, headers });

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
    expect((await app.call("DELETE", `/v2/things/${ID}`)).status).toBe(204);
    expect((await app.call("POST", `/v2/things/${ID}/retry`)).status).toBe(202);
  });

  it("keeps a client's valid request id, and creates one otherwise", async () => {
    const kept = await app.call("GET", "/v2/things", { headers: { "Request-Id": "client_id-1" } });
    expect(kept.headers.get("request-id")).toBe("client_id-1");
    const made = await app.call("GET", "/v2/things", { headers: { "Request-Id": "a b" } });
    expect(made.headers.get("request-id")).toMatch(/^[A-Za-z0-9_-]{36}$/);
  });

  it("pages with a Link on the configured URL, keeping the other parameters", async () => {
    const first = await app.call("GET", "/v2/things?limit=1&tag=a&tag=b");
    expect(first.body).toEqual({ data: [{ id: ID, tag: ["a", "b"] }], has_more: true });
    expect(first.headers.get("link")).toBe(
      `<https://api.example.com/v2/things?limit=1&tag=a&tag=b&starting_after=${ID}>; rel="next"`,
    );
  });

  it("prefers a fixed path to a parameter", async () => {
    expect((await app.call("GET", "/v2/things/special")).body).toEqual({ special: true });
  });

  it("serves HEAD wherever it serves GET, without a body", async () => {
    const answer = await app.call("HEAD", "/v2/things");
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
    expect(statusOf(await app.raw(head([...target, ...headers])))).toBe(status);
  });

  it("makes all 401 responses identical", async () => {
    const none = await app.call("GET", "/v2/things", { headers: { "X-API-Key": "" } });
    const unknown = await app.call("GET", "/v2/nowhere", { headers: { "X-API-Key": "wrong" } });
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
    expectProblem(await app.call("GET", "/v2/nowhere", { headers: NO_KEY }), 401, "unauthorized");
    const suspended = { headers: { "X-API-Key": "suspended" } };
    const limited = await app.call("GET", "/v2/nowhere", suspended);
    expectProblem(limited, 429, "rate_limited");
    expect(limited.headers.get("retry-after")).toBe("1");
    admitted = true;
    expectProblem(await app.call("GET", "/v2/nowhere", suspended), 403, "account_suspended");
  });

  it("404 precedes 415, 415 precedes 413, 413 precedes 400, 400 precedes 422", async () => {
    const text = { "Content-Type": "text/plain" };
    const huge = "x".repeat(1_100_000);
    const at = (path: string, body: string, headers = JSON_TYPE) =>
      app.call("POST", path, { body, headers });
    expectProblem(await at("/v2/nowhere", huge, text), 404, "not_found");
    expectProblem(await at("/v2/things", huge, text), 415, "unsupported_media_type");
    expectProblem(await at("/v2/things?no=1", huge), 413, "payload_too_large");
    expectProblem(await at("/v2/things", "{"), 400, "malformed_json");
    expectProblem(await at("/v2/things?no=1", "{}"), 400, "invalid_parameter");
    expectProblem(await at("/v2/things", "{}"), 422, "validation_failed");
  });

  it("returns 404 without a key only outside the protected prefix", async () => {
    expectProblem(await app.call("GET", "/nowhere", { headers: NO_KEY }), 404, "not_found");
    expectProblem(await app.call("GET", "/v2x", { headers: NO_KEY }), 404, "not_found");
    expectProblem(await app.call("PUT", "/v2/things", { headers: NO_KEY }), 401, "unauthorized");
  });

  it("distinguishes a path that does not exist from an object that does not exist", async () => {
    const detailOf = async (path: string) => (await app.call("GET", path)).body["detail"];
    for (const path of ["/v2/nowhere", "/v2/things/", "/nowhere"]) {
      expect(await detailOf(path)).toMatch(/^There is no such path\./);
    }
    expect(await detailOf("/v2/things/none")).toMatch(/^The resource does not exist/);
  });

  it("says of a link that it has expired, and nothing of one that we have not signed", async () => {
    const at = (link: string) =>
      app.call("GET", `/v2/linked/${ID}?link=${link}`, { headers: NO_KEY });
    expect((await at("valid")).status).toBe(200);
    const expired = await at("expired");
    expectProblem(expired, 401, "unauthorized");
    expect(expired.body).toMatchObject({
      detail: "The link has expired. Ask for a new one, or send an active API key.",
      errors: [{ parameter: "expires", code: "link_expired" }],
    });
    const foreign = await at("foreign");
    expectProblem(foreign, 401, "unauthorized");
    expect(foreign.body["detail"]).toMatch(/^Send one active API key/);
    expect((await app.call("GET", `/v2/linked/${ID}?link=expired`)).status).toBe(200);
  });
});

describe("failures", () => {
  it("shows a refusal, hides an internal error, and sets Retry-After if a dependency is unavailable", async () => {
    expectProblem(await app.call("GET", "/v2/fails/state"), 409, "invalid_state");
    const internal = await app.call("GET", "/v2/fails/other");
    expectProblem(internal, 500, "internal");
    expect(JSON.stringify(internal.body)).not.toContain("hunter2");
    const away = await app.call("GET", "/v2/fails/database");
    expectProblem(away, 503, "unavailable");
    expect(away.headers.get("retry-after")).toBe("2");
    expect(JSON.stringify(away.body)).not.toContain("10.0.0.7");
  });

  it("is always alive, and names unavailable dependencies when not ready", async () => {
    databaseAway = true;
    const away = await app.call("GET", "/readyz", { headers: { "X-API-Key": "" } });
    databaseAway = false;
    expectProblem(away, 503, "unavailable");
    expect(away.body["errors"]).toEqual([{ code: "dependency_away", detail: "database" }]);
    expect(JSON.stringify(away.body)).not.toContain("10.0.0.7");
    expect((await app.call("GET", "/readyz")).status).toBe(200);
    expect((await app.call("GET", "/healthz")).body).toEqual({ status: "alive" });
    const counted = 'http_requests_total{route="/v2/things",method="GET",status="200"';
    const text = await fetch(`${app.url}/metrics`).then((r) => r.text());
    expect(text).toContain(counted);
  });
});
