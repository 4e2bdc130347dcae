import { connect } from "node:net";
import { expect } from "@jest/globals";
import { z } from "zod";
import { AppError } from "../../../services/platform/errors.ts";
import { createReadiness } from "../../../services/platform/health.ts";
import { keyset, page, pageQuery } from "../../../services/platform/http/paging.ts";
import { createHttpApp } from "../../../services/platform/http/routing/http-app.ts";
import { startHttpServer } from "../../../services/platform/http/routing/http-server.ts";
import { accepted, created, noContent, ok } from "../../../services/platform/http/routing/reply.ts";
import { routesFor } from "../../../services/platform/http/routing/route.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics, type Metrics } from "../../../services/platform/metrics.ts";
import type { ApiDescription } from "../../../services/platform/openapi/describe-api.ts";
import { noDatabase } from "./no-database.ts";

export const KEY = "nps_live_abcdefgh";
export const ID = "0198c0de-0000-7000-8000-000000000001";
const OTHER_ID = "0198c0de-0000-7000-8000-000000000002";

interface Owner {
  readonly accountId: string;
  readonly suspended: boolean;
}
const { GET, POST, DELETE } = routesFor<Owner, "account">("account");
const { GET: GET_BY_LINK } = routesFor<Owner, "link">("link");
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

/** The link says itself what it is. */
const linked = GET_BY_LINK("/v2/linked/:id", "A test", {
  ...owned,
  query: z.strictObject({ link: z.enum(["valid", "expired", "foreign"]) }),
  opens: ({ query }) => query.link,
  handle: ({ params }) => ok({ id: params.id }),
});

const quiet = createLogger("test", "silent");

export interface ThingsAppOptions {
  /** Rejects while the database is away. */
  readonly database?: () => Promise<void>;
  /** Throws what a request is refused with. */
  readonly admit?: () => void;
  readonly metrics?: Metrics;
  readonly description?: ApiDescription;
}

export interface ThingsAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

interface Init {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ThingsApp {
  readonly url: string;
  call(method: string, path: string, init?: Init): Promise<ThingsAnswer>;
  /** Sends bytes as given and returns everything received until the server closes. */
  raw(text: string): Promise<string>;
  stop(): Promise<void>;
}

/** An app with a route of each kind. KEY is an account's key, "suspended" that of a suspended account. */
export async function startThingsApp(options: ThingsAppOptions = {}): Promise<ThingsApp> {
  const { database = () => Promise.resolve(), admit = () => undefined } = options;
  const { metrics = createMetrics("test"), description } = options;
  const app = createHttpApp<Owner>({
    routes: [...things, linked],
    protectedPrefix: "/v2",
    pool: noDatabase,
    log: quiet,
    metrics,
    readiness: createReadiness({ database }, { log: quiet, metrics }),
    publicUrl: "https://api.example.com",
    authenticate: (key) =>
      Promise.resolve(
        key === KEY || key === "suspended"
          ? { accountId: "account-1", suspended: key === "suspended" }
          : null,
      ),
    admit,
    ...(description === undefined ? {} : { description }),
    authorize: ({ suspended }) => {
      if (suspended) throw new AppError("account_suspended", "Ask your operator.");
    },
  });
  const server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log: quiet });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    call: (method, path, init = {}) => call(method, url + path, init),
    raw: (text) => raw(server.port, text),
    stop: () => server.stop(),
  };
}

async function call(method: string, url: string, init: Init): Promise<ThingsAnswer> {
  const response = await fetch(url, {
    method,
    ...init,
    headers: { "X-API-Key": KEY, ...init.headers },
  });
  const text = await response.text();
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text, "latin1"));
    let answer = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

/** The head of a request, after which the server closes. */
export const head = (lines: readonly string[]): string =>
  [...lines, "Connection: close", "", ""].join("\r\n");

export const statusOf = (answer: string): number => Number(answer.slice(9, 12));

export function expectProblem(answer: ThingsAnswer, status: number, code: string): void {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({
    type: `urn:numberporting:problem:${code}`,
    status,
    code,
    request_id: answer.headers.get("request-id"),
  });
  expect(answer.status).toBe(status);
}
