import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { Caller, reasonOf, retryDelayMs, type CallerOptions, type Tries } from "./caller.ts";
import { ApiError, ConnectionError, readRetryAfter } from "./errors.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Seen {
  readonly url: string;
  readonly key: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string;
  readonly body: string;
}

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that gives these answers in turn, the last one for ever. */
async function serve(...answers: [Answer, ...Answer[]]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { "idempotency-key": key, authorization, "content-type": type = "" } = request.headers;
      const body = Buffer.concat(chunks).toString("latin1");
      seen.push({ url: request.url ?? "", key: key?.toString(), authorization, type, body });
      (answers[seen.length - 1] ?? answers.at(-1) ?? answers[0])(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const wait: NonNullable<CallerOptions["wait"]> = (ms) => {
    waits.push(ms);
    return Promise.resolve();
  };
  const caller = new Caller({
    baseUrl: `${baseUrl}/`,
    apiKey: "nps_live_x",
    wait,
    timeoutMs: 5_000,
  });
  return { caller, seen, waits, baseUrl };
}

const good: Answer = (_, response) => {
  response.writeHead(200, { "Content-Type": "application/json" }).end('{"id":"1"}');
};
const cut: Answer = (request) => request.socket.destroy();

function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = {
    type: "x",
    title: "T",
    status,
    detail: "It is so.",
    code,
    request_id: "req-12345",
  };
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify(body));
}

const POST = { method: "POST", path: "/v2/things", body: { name: "a" } };

describe("a request", () => {
  it("carries the key, the query and its body as JSON", async () => {
    const { caller, seen } = await serve(good);
    const query = { status: ["draft", "rejection"], phone_number: "+1212", order: undefined };
    expect(await caller.json({ ...POST, query })).toEqual({ id: "1" });
    expect(seen).toMatchObject([
      {
        url: "/v2/things?status=draft&status=rejection&phone_number=%2B1212",
        authorization: "Bearer nps_live_x",
        type: "application/json",
        body: '{"name":"a"}',
      },
    ]);
  });

  it("with a file is a form, whose text comes first", async () => {
    const { caller, seen } = await serve(good);
    const file = new File(["%PDF"], "bill.pdf", { type: "application/pdf" });
    await caller.json({ method: "PATCH", path: "/", body: { file, document_date: "2026-01-01" } });
    expect(seen[0]?.type).toMatch(/^multipart\/form-data/);
    expect(seen[0]?.body).toMatch(/document_date[\s\S]*2026-01-01[\s\S]*bill\.pdf[\s\S]*%PDF/);
  });

  it("that creates has a key of its own, the same on every try", async () => {
    const { caller, seen } = await serve(cut, problem(503, "unavailable"), good);
    await caller.json(POST);
    await caller.json(POST);
    const keys = seen.map(({ key }) => key);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,255}$/);
  });

  it("takes the caller's key, and has none where it only reads", async () => {
    const { caller, seen } = await serve(good);
    await caller.json(POST, { idempotencyKey: "order-7" });
    await caller.json({ method: "GET", path: "/" });
    expect(seen.map(({ key }) => key)).toEqual(["order-7", undefined]);
  });

  it("waits as long as the API asks", async () => {
    const limited = problem(429, "rate_limited", { "Retry-After": "7" });
    const { caller, waits } = await serve(limited, good);
    await caller.json(POST);
    expect(waits).toEqual([7_000]);
  });

  it("is not tried again where trying cannot help", async () => {
    const { caller, seen } = await serve(problem(409, "not_ready"));
    await expect(caller.json(POST)).rejects.toThrow("It is so.");
    expect(seen).toHaveLength(1);
  });

  it("ends with the caller's signal, without another try", async () => {
    const { caller, seen } = await serve(() => undefined);
    const abort = new AbortController();
    const asked = caller.json(POST, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(seen.length).toBeLessThan(2);
  });

  it("ends with the client's signal too, with its reason while it waits for the next try", async () => {
    const { baseUrl } = await serve(problem(503, "unavailable"));
    const abort = new AbortController();
    const wait = () => {
      abort.abort(new Error("enough"));
      return Promise.reject(new Error("the timer was stopped"));
    };
    const caller = new Caller({ baseUrl, apiKey: "k", signal: abort.signal, wait });
    await expect(caller.json(POST)).rejects.toThrow("enough");
  });

  it("that deletes is done where the answer was lost and there is no such thing any more", async () => {
    const gone = problem(404, "not_found");
    const DELETE = { method: "DELETE", path: "/v2/things/1" };
    const lost = await serve(cut, gone);
    await lost.caller.nothing(DELETE);
    expect(lost.seen).toHaveLength(2);
    const unknown = await serve(gone);
    await expect(unknown.caller.nothing(DELETE)).rejects.toThrow("It is so.");
    const limited = await serve(problem(429, "rate_limited"), gone);
    await expect(limited.caller.nothing(DELETE)).rejects.toThrow("It is so.");
  });
});

describe("a caller", () => {
  it.each(["localhost:3000", "127.0.0.1:3000", "ftp://127.0.0.1", "http://me:pw@127.0.0.1", ""])(
    "does not take the address %j",
    (baseUrl) => {
      expect(() => new Caller({ baseUrl, apiKey: "k" })).toThrow("http or https URL");
    },
  );

  it("does not take a key that no header can carry, and keeps it out of the error", () => {
    const make = () =>
      new Caller({ baseUrl: "http://127.0.0.1", apiKey: "nps_live_a\nnps_live_b" });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow("nps_live_a");
  });
});

describe("an error", () => {
  it("of the API has code, title, detail, request id and faults", async () => {
    const { caller } = await serve(problem(404, "not_found"));
    const error = await caller.json(POST).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      code: "not_found",
      title: "T",
      detail: "It is so.",
      requestId: "req-12345",
      faults: [],
    });
  });

  it("that is no problem, such as a proxy's, has a code of its status", async () => {
    const { caller } = await serve((_, response) => response.writeHead(404).end("<h1>no</h1>"));
    const error = await caller.json(POST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, code: "http_404", requestId: null });
  });

  const page: Answer = (_, response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Hi</h1>");
  const redirect: Answer = (_, response) =>
    response.writeHead(301, { Location: "https://x.example/v2?a=1" }).end();

  it.each([
    [page, "The answer is not JSON: it is text/html."],
    [redirect, "The answer was 301 Moved Permanently, to https://x.example/v2."],
  ])("says at once that it was not the API that answered, case %#", async (answer, detail) => {
    const { caller, seen } = await serve(answer);
    const error = await caller.json(POST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ApiError", detail });
    expect(error).toHaveProperty("code", expect.stringMatching(/^http_/));
    expect(seen).toHaveLength(1);
  });

  it("of the connection says where and why, after the last try", async () => {
    const { caller, seen, baseUrl } = await serve(cut);
    const error = await caller.json(POST).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toHaveProperty("message", expect.stringContaining(baseUrl));
    expect(seen).toHaveLength(5);
  });

  it("comes where the answer takes too long", async () => {
    const { baseUrl } = await serve(() => undefined);
    const caller = new Caller({ baseUrl, apiKey: "k", maxRetries: 0, timeoutMs: 20 });
    await expect(caller.json(POST)).rejects.toThrow("no answer within 20 ms");
  });
});

describe("a list", () => {
  const pages =
    (next: string | null, id: string): Answer =>
    (_, response) => {
      const headers = next === null ? {} : { Link: `<https://public.example${next}>; rel="next"` };
      response
        .writeHead(200, headers)
        .end(JSON.stringify({ data: [{ id }], has_more: next !== null }));
    };

  it("is read page by page, by the links, on the host that was called", async () => {
    const { caller, seen } = await serve(
      pages("/v2/things?limit=1&starting_after=a", "a"),
      pages(null, "b"),
    );
    const things = caller.list<{ id: string }>({
      method: "GET",
      path: "/v2/things",
      query: { limit: 1 },
    });
    expect(await things.toArray()).toEqual([{ id: "a" }, { id: "b" }]);
    expect(seen.map(({ url }) => url)).toEqual([
      "/v2/things?limit=1",
      "/v2/things?limit=1&starting_after=a",
    ]);
  });

  it("does not pass for whole where the link to the next page was lost", async () => {
    const { caller } = await serve((_, response) =>
      response.writeHead(200).end(JSON.stringify({ data: [{ id: "a" }], has_more: true })),
    );
    const things = caller.list({ method: "GET", path: "/v2/things" });
    await expect(things.toArray()).rejects.toThrow("Link header");
    expect(await things.toArray(1)).toEqual([{ id: "a" }]);
  });

  it("fetches no page that is not read", async () => {
    const { caller, seen } = await serve(pages("/v2/things?starting_after=a", "a"));
    const things = caller.list({ method: "GET", path: "/v2/things" });
    expect(await things.toArray(1)).toEqual([{ id: "a" }]);
    expect((await things.first()).has_more).toBe(true);
    expect(seen).toHaveLength(2);
  });
});

const tries = (failed: number, random = 0): Tries => ({
  failed,
  maxRetries: 4,
  random: () => random,
});

function refused(status: number, code: string, retryAfterMs: number | null = null): ApiError {
  const problem = { type: "about:blank", title: code, status, detail: code, code, request_id: "r" };
  return new ApiError(problem, retryAfterMs);
}

const CUT = new ConnectionError("cut");

describe("the wait before another try", () => {
  it("doubles up to eight seconds and ends after the last retry", () => {
    const waits = [1, 2, 3, 4, 5].map((failed) => retryDelayMs(CUT, tries(failed)));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, null]);
    expect(retryDelayMs(CUT, { ...tries(9), maxRetries: 20 })).toBe(8_000);
  });

  it("is spread over half of it", () => {
    expect(retryDelayMs(CUT, tries(1, 1))).toBe(250);
  });

  it("is at least what the API asks for", () => {
    expect(retryDelayMs(refused(429, "rate_limited", 3_000), tries(1))).toBe(3_000);
    expect(retryDelayMs(refused(503, "unavailable", 0), tries(1))).toBe(500);
  });

  it("of more than a minute is left to the caller", () => {
    expect(retryDelayMs(refused(429, "rate_limited", 60_001), tries(1))).toBeNull();
  });

  it.each([
    [500, "internal", true],
    [502, "http_502", true],
    [409, "idempotency_in_progress", true],
    [409, "invalid_state", false],
    [400, "invalid_parameter", false],
    [401, "unauthorized", false],
    [404, "not_found", false],
    [422, "validation_failed", false],
  ])("%i %s is tried again: %s", (status, code, isRetried) => {
    expect(retryDelayMs(refused(status, code), tries(1)) !== null).toBe(isRetried);
  });

  it("has no other error", () => {
    expect(retryDelayMs(new TypeError("a fault of the caller"), tries(1))).toBeNull();
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ])("%j is %j ms", (header, ms) => {
    expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(ms);
  });
});

function failed(message: string, code?: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

describe("why fetch failed", () => {
  it.each([
    [
      failed("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"),
      "connect ECONNREFUSED 127.0.0.1:1",
    ],
    [failed("", "ECONNREFUSED"), "ECONNREFUSED"],
    [
      failed("804C:error:0A00010B:SSL routines::../ssl3_record.c:350:\n", "ERR_SSL_WRONG"),
      /^TLS failed \(ERR_SSL_WRONG\).*speak TLS$/,
    ],
    [failed("bad port"), "fetch calls no server at this port (bad port)"],
    [new TypeError("fetch failed"), "fetch failed"],
  ])("%#", (error, reason) => {
    expect(reasonOf(error)).toEqual(
      typeof reason === "string" ? reason : expect.stringMatching(reason),
    );
  });
});
