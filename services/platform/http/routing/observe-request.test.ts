import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { noDatabase } from "../../../../test/support/http/no-database.ts";
import { recordSpans, type RecordedSpan } from "../../../../test/support/tracing/recorded-spans.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { nextTraceparent } from "../../traceparent.ts";
import type { SamplerName } from "../../tracing/start-tracing.ts";
import { createHttpApp } from "./http-app.ts";
import { startHttpServer } from "./http-server.ts";
import { resourceOf } from "./observe-request.ts";
import { ok } from "./reply.ts";
import { routesFor } from "./route.ts";

const KEY = "nps_live_abcdefgh";
const NUMBER = "+491511234567";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

const { GET } = routesFor<string, "account">("account");
const routes = [
  GET("/v2/numbers/:number", "A test", {
    answers: {},
    params: { number: z.string() },
    query: z.strictObject({ holder: z.string().optional() }),
    handle: ({ params }) => {
      if (params.number === "broken") throw new Error(`${NUMBER} is broken`);
      return ok({ traceparent: nextTraceparent() });
    },
  }),
];

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sampler?: SamplerName;
}

/** Sends one request to an application with tracing; returns the response's body, the recorded spans and the metrics. */
async function traced(
  path: string,
  { method = "GET", headers = {}, sampler = "parentbased_always_on" }: Sent = {},
): Promise<{ body: string; spans: readonly RecordedSpan[]; metrics: string }> {
  const recorder = recordSpans({ sampler, ratio: 1 });
  const metrics = createMetrics("test");
  const log = createLogger("test", "silent");
  const app = createHttpApp<string>({
    routes,
    protectedPrefix: "/v2",
    pool: noDatabase,
    log,
    metrics,
    tracing: recorder.tracing,
    readiness: () => Promise.resolve([]),
    authenticate: (key) => Promise.resolve(key === KEY ? "account" : null),
  });
  const server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
  const address = `http://127.0.0.1:${server.port}${path}`;
  const response = await fetch(address, { method, headers: { "X-API-Key": KEY, ...headers } });
  const body = await response.text();
  await server.stop();
  const { text } = await metrics.page("application/openmetrics-text;version=1.0.0");
  return { body, spans: await recorder.spans(), metrics: text };
}

describe("a request's span", () => {
  it("is named after its route, and holds nothing of path, query or key", async () => {
    const path = `/v2/numbers/${encodeURIComponent(NUMBER)}?holder=Ada`;
    const { body, spans } = await traced(path);
    expect(spans).toEqual([
      expect.objectContaining({
        name: "GET /v2/numbers/:number",
        kind: "server",
        parentSpanId: null,
        failed: false,
        attributes: {
          "http.request.method": "GET",
          "http.route": "/v2/numbers/:number",
          "http.response.status_code": 200,
        },
      }),
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/1511234567|Ada|nps_live/);
    expect(JSON.parse(body)).toEqual({ traceparent: spans[0]?.traceparent });
  });

  it("continues the client's trace", async () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
    const { spans } = await traced("/v2/numbers/1", { headers });
    expect(spans).toEqual([expect.objectContaining({ traceId: TRACE, parentSpanId: SPAN })]);
  });

  it("is not recorded where the client's trace is not sampled, which goes on nevertheless", async () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-00` };
    const { body, spans } = await traced("/v2/numbers/1", { headers });
    expect(spans).toEqual([]);
    const next = new RegExp(`"00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-00"`);
    expect(body).toMatch(next);
  });

  it("fails with a 5xx, without the error's text", async () => {
    const { spans } = await traced("/v2/numbers/broken");
    expect(spans).toEqual([
      expect.objectContaining({
        failed: true,
        attributes: {
          "http.request.method": "GET",
          "http.route": "/v2/numbers/:number",
          "http.response.status_code": 500,
          "error.type": "500",
        },
      }),
    ]);
    expect(JSON.stringify(spans)).not.toContain("1511234567");
  });

  it.each([
    [404, `/v2/persons/${NUMBER}`, {}],
    [401, "/v2/numbers/1", { headers: { "X-API-Key": "wrong" } }],
    [405, "/v2/numbers/1", { method: "PROPFIND" }],
  ])("does not fail with a refusal: %d", async (status, path, sent) => {
    const { spans } = await traced(path, sent);
    expect(spans).toMatchObject([
      { failed: false, attributes: { "http.response.status_code": status } },
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/1511234567|persons|PROPFIND/);
  });

  it.each(["/healthz", "/readyz", "/metrics?now"])("is not made for a probe: %s", async (path) => {
    expect((await traced(path)).spans).toEqual([]);
  });
});

describe("a request's exemplar", () => {
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };

  it("names the span that was recorded", async () => {
    const { spans, metrics } = await traced("/v2/numbers/1", { headers });
    const [, , spanId = "none"] = (spans[0]?.traceparent ?? "").split("-");
    expect(metrics).toContain(`trace_id="${TRACE}",span_id="${spanId}"`);
  });

  it("is none where the sampler asks no client, whatever the client says", async () => {
    const { spans, metrics } = await traced("/v2/numbers/1", { headers, sampler: "always_off" });
    expect(spans).toEqual([]);
    expect(metrics).toContain("http_request_seconds_count");
    expect(metrics).not.toContain("trace_id");
  });
});

it.each([
  ["/v2/porting_orders", "porting_orders"],
  ["/v2/porting_orders/:id/comments", "porting_orders"],
  ["/v2/porting/events/stream", "porting"],
  ["/desk/v1/reviews/:id", "reviews"],
  ["/openapi.json", "openapi.json"],
])("the requests of %s take connections as %s", (path, kind) => {
  expect(resourceOf(path)).toBe(kind);
});
