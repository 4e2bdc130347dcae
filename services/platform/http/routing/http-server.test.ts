import { IncomingMessage, request as httpRequest, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { noDatabase } from "../../../../test/support/http/no-database.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { createHttpApp } from "./http-app.ts";
import { RunningResponses, startHttpServer, type HttpServer } from "./http-server.ts";
import { ok } from "./reply.ts";
import { routesFor } from "./route.ts";

const log = createLogger("test", "silent");
const define = routesFor<string, "public">("public");

let server: HttpServer;
let release: () => void;
let entered: Promise<void>;

beforeEach(async () => {
  const held = new Promise<void>((resolve) => (release = resolve));
  let enter: () => void;
  entered = new Promise((resolve) => (enter = resolve));
  const routes = [
    define.POST("/v2/echo", "A test", {
      answers: {},
      body: z.strictObject({ a: z.unknown().optional() }),
      handle: ({ body }) => ok(body),
    }),
    define.GET("/v2/slow", "A test", {
      answers: {},
      handle: async () => {
        enter();
        await held;
        return ok({ done: true });
      },
    }),
  ];
  const app = createHttpApp<string>({
    routes,
    protectedPrefix: "/v2",
    pool: noDatabase,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    authenticate: () => Promise.resolve(null),
  });
  server = await startHttpServer(app, {
    host: "127.0.0.1",
    port: 0,
    log,
    headersTimeoutMs: 300,
    requestTimeoutMs: 600,
  });
});

afterEach(async () => {
  release();
  await server.stop();
});

/** Opens a connection, sends the parts, and returns everything received until it closes. */
function raw(...parts: string[]): Promise<string> {
  return collect(connect(server.port, "127.0.0.1"), parts);
}

function collect(socket: Socket, parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    for (const part of parts) socket.write(part, "latin1");
    socket.setTimeout(8_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer)));
    socket.on("close", () => resolve(answer));
  });
}

const POST = "POST /v2/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const status = (answer: string) => Number(answer.slice(9, 12));
const bodyOf = (answer: string): unknown =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

function send(body: string | Buffer, type = JSON_TYPE): Promise<string> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return raw(`${POST}${type}Content-Length: ${bytes.length}\r\n\r\n${bytes.toString("latin1")}`);
}

describe("bodies", () => {
  it.each([
    ["no body", `${POST}\r\n`],
    [
      "of length 0 and another type",
      `${POST}Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n`,
    ],
    ["chunked, empty and of another type", `${POST}Content-Type: a/b\r\n${CHUNKED}\r\n0\r\n\r\n`],
  ])("is read as {} when there is %s", async (_, text) => {
    const answer = await raw(text);
    expect([status(answer), bodyOf(answer)]).toEqual([200, {}]);
  });

  it.each([
    ["application/json; charset=utf-8", 200],
    ['Application/JSON ; Charset="UTF-8"', 200],
    ["application/json; charset=utf-16", 415],
    ["application/json; charset=latin1", 415],
    ["application/merge-patch+json", 415],
    ["text/json", 415],
    ["application/x-www-form-urlencoded", 415],
  ])("as %s is %d", async (type, expected) => {
    expect(status(await send("{}", `Content-Type: ${type}\r\n`))).toBe(expected);
  });

  it("without a type or with a content encoding is 415", async () => {
    expect(status(await send("{}", ""))).toBe(415);
    expect(status(await send("{}", `${JSON_TYPE}Content-Encoding: gzip\r\n`))).toBe(415);
    expect(status(await send("{}", `${JSON_TYPE}Content-Encoding: identity\r\n`))).toBe(200);
    expect(status(await raw(`${POST}Content-Type: a/b\r\n${CHUNKED}\r\n1\r\nx\r\n0\r\n\r\n`))).toBe(
      415,
    );
  });

  it.each([
    ["broken", "{", 400],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le"), 400],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a byte order mark", "\ufeff{}", 400],
    ["NUL escaped", '{"a":"\\u0000"}', 400],
    ["half a surrogate pair", '{"a":"\\ud800"}', 400],
    ["10,000 deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400],
    ["a scalar", "1", 422],
    ["null", "null", 422],
    ["a list", "[]", 422],
    ["an unknown property", '{"b":1}', 422],
    ["__proto__", '{"__proto__":{"x":1},"constructor":1}', 422],
    ["a property that comes twice", '{"a":1,"a":2}', 400],
    ["a number out of range", '{"a":1e400}', 200],
  ])("%s", async (_, body, expected) => {
    expect(status(await send(body))).toBe(expected);
  });

  it("is limited to 1 MiB, by declared length and while streaming, and the client gets a response", async () => {
    const exact = `{"a":"${"x".repeat(1_048_576 - 8)}"}`;
    expect(status(await send(exact))).toBe(200);
    expect(status(await send(` ${exact}`))).toBe(413);
    const chunks = `40000\r\n${"x".repeat(0x40000)}\r\n`.repeat(12);
    expect(status(await raw(`${POST}${JSON_TYPE}${CHUNKED}\r\n`, chunks, "0\r\n\r\n"))).toBe(413);
  });

  it("gets no 100 Continue if the request is already refused", async () => {
    const expecting = (path: string) =>
      new Promise<{ invited: boolean; status: number }>((resolve, reject) => {
        const headers = { Expect: "100-continue", "Content-Type": "application/json" };
        const call = httpRequest({ port: server.port, method: "POST", path, headers });
        let invited = false;
        call.on("continue", () => {
          invited = true;
          call.end("{}");
        });
        call.on("response", (response) => {
          resolve({ invited, status: response.statusCode ?? 0 });
          response.resume();
          call.destroy();
        });
        call.on("error", reject);
        call.flushHeaders();
      });
    expect(await expecting("/v2/echo")).toEqual({ invited: true, status: 200 });
    expect(await expecting("/v2/nowhere")).toEqual({ invited: false, status: 401 });
  });
});

describe("malformed HTTP", () => {
  const GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
  it.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["a 64 KiB header", `${GET}X-A: ${"a".repeat(65_536)}\r\n\r\n`, 431],
    ["10,000 headers", `${GET}${"a: b\r\n".repeat(10_000)}\r\n`, 431],
    ["a folded header", `${GET}X-A: a\r\n b\r\nConnection: close\r\n\r\n`, 400],
    ["two lengths", `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ["a length and chunks", `${POST}Content-Length: 2\r\n${CHUNKED}\r\n0\r\n\r\n`, 400],
    ["a chunk size that overflows", `${POST}${JSON_TYPE}${CHUNKED}\r\nfffffffffffffffff\r\n`, 400],
    ["chunked garbage", `${POST}${JSON_TYPE}${CHUNKED}\r\nzz\r\n{}\r\n`, 400],
    ["a path of 16 KiB", `GET /${"a".repeat(16_384)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["an unknown expectation, which is ignored", `${GET}Expect: cake\r\n\r\n`, 200],
  ])("%s", async (_, text, expected) => {
    const answer = await raw(text);
    expect(status(answer)).toBe(expected);
    const type = expected === 200 ? "application/json" : "application/problem+json";
    expect(answer).toContain(`Content-Type: ${type}\r\n`);
    expect(answer).toMatch(/\r\nRequest-Id: [\w-]+\r\n/);
    expect(status(await raw(`${GET}Connection: close\r\n\r\n`))).toBe(200);
  });

  it("says how large path and headers may be", async () => {
    const answer = await raw(`${GET}X-A: ${"a".repeat(65_536)}\r\n\r\n`);
    expect(answer).toContain("The path and the headers are larger than 16384 bytes.");
  });

  it("says that a URL is not encoded", async () => {
    const answer = await raw("GET /v2/slow?customer_reference=é HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(status(answer)).toBe(400);
    expect(answer).toContain("percent-encode it");
  });

  it("answers pipelined requests in order", async () => {
    const answer = await raw(
      `${GET}\r\n`,
      "GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404"]);
  });

  it("responds 408 to slow headers and slow bodies", async () => {
    const [headers, body] = await Promise.all([
      raw("GET /healthz HTTP/1.1\r\nHost:"),
      raw(`${POST}${JSON_TYPE}Content-Length: 10\r\n\r\n{`),
    ]);
    expect([status(headers), status(body)]).toEqual([408, 408]);
    const limits = "The headers did not arrive within 0.3 s, or the whole request within 0.6 s.";
    expect(headers).toContain(limits);
  });
});

describe("stop", () => {
  it("finishes a running request, closes idle connections and accepts no new ones", async () => {
    const idle = connect(server.port, "127.0.0.1");
    const idleAnswer = collect(idle, ["GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"]);
    await new Promise((resolve) => idle.once("data", resolve));
    const slow = raw("GET /v2/slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await entered;
    const stopped = server.stop();
    expect(status(await idleAnswer)).toBe(200);
    await expect(raw("GET /healthz HTTP/1.1\r\n\r\n")).rejects.toThrow("ECONNREFUSED");
    release();
    const answer = await slow;
    expect([status(answer), bodyOf(answer)]).toEqual([200, { done: true }]);
    expect(answer).toContain("Connection: close");
    await stopped;
  });

  it("names a port that is in use", async () => {
    const app = createHttpApp<string>({
      routes: [],
      protectedPrefix: "/v2",
      pool: noDatabase,
      log,
      metrics: createMetrics("test"),
      readiness: () => Promise.resolve([]),
      authenticate: () => Promise.resolve(null),
    });
    const again = startHttpServer(app, { host: "127.0.0.1", port: server.port, log });
    await expect(again).rejects.toMatchObject({
      code: "invalid_config",
      message: `Port ${server.port} on 127.0.0.1 is in use.`,
    });
  });
});

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

describe("the responses in progress", () => {
  it("are those that were added and not removed, whatever place they have", () => {
    const running = new RunningResponses();
    const [first, second, third] = [newResponse(), newResponse(), newResponse()];
    const index = running.add(first);
    running.add(second);
    running.remove(index);
    expect(running.list()).toEqual([second]);
    expect(running.add(third)).toBe(index);
    expect(new Set(running.list())).toEqual(new Set([second, third]));
  });
});
