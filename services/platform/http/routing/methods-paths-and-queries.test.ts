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

let app: ThingsApp;

beforeAll(async () => {
  app = await startThingsApp();
});

afterAll(() => app.stop());

describe("paths and methods", () => {
  it.each(["PUT", "OPTIONS", "PATCH"])("%s on a known path is 405 with Allow", async (method) => {
    const answer = await app.call(method, "/v2/things");
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("TRACE is 405, a method override is ignored, an unknown verb is 400", async () => {
    const key = `X-API-Key: ${KEY}`;
    const trace = await app.raw(head(["TRACE /v2/things HTTP/1.1", "Host: x", key]));
    expect(statusOf(trace)).toBe(405);
    const override = ["GET /v2/things HTTP/1.1", "Host: x", key, "X-HTTP-Method-Override: DELETE"];
    expect(statusOf(await app.raw(head(override)))).toBe(200);
    expect(statusOf(await app.raw(head(["BREW /v2/things HTTP/1.1", "Host: x"])))).toBe(400);
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
    expectProblem(await app.call("GET", path), 404, "not_found");
  });

  it("accepts an upper-case id and an absolute target", async () => {
    expect((await app.call("GET", `/v2/things/${ID.toUpperCase()}`)).body).toEqual({ id: ID });
    const absolute = [`GET http://other/v2/things/${ID} HTTP/1.1`, "Host: x", `X-API-Key: ${KEY}`];
    expect(statusOf(await app.raw(head(absolute)))).toBe(200);
  });

  it("is 406 if Accept excludes JSON", async () => {
    const accept = (value: string) => app.call("GET", "/v2/things", { headers: { Accept: value } });
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
    const answer = await app.call("GET", `/v2/things?${query}`);
    expectProblem(answer, 400, "invalid_parameter");
    expect(answer.body["errors"]).toMatchObject([{ parameter }]);
  });

  it("reports every fault at once", async () => {
    const { body } = await app.call("GET", "/v2/things?limit=0&order=up&colour=red");
    expect(body["errors"]).toMatchObject([
      { parameter: "limit", code: "too_small" },
      { parameter: "order", code: "invalid_value" },
      { parameter: "colour", code: "unknown_parameter" },
    ]);
  });
});
