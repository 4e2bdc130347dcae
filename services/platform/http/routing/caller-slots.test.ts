import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createLogger } from "../../logger.ts";
import { FairSlots, refusedAs } from "../../fair-slots.ts";
import { createMetrics } from "../../metrics.ts";
import { createHttpApp } from "./http-app.ts";
import { startHttpServer, type HttpServer } from "./http-server.ts";
import { ok, type Reply } from "./reply.ts";
import { routesFor } from "./route.ts";
import { noDatabase } from "../../../../test/support/http/no-database.ts";

const log = createLogger("test", "silent");
const { GET, POST } = routesFor<string, "account">("account");
const KEY = { "X-API-Key": "k" };
const PIECE = Buffer.alloc(65_536);
/** More than the kernel takes off a process for a connection that nobody reads. */
const PIECES = 1_000;

let server: HttpServer;
let client: Socket;
let taken: number;
let inUse: number;

const streamed = (type: string, content: Readable): Reply => ({
  status: 200,
  raw: { type, content },
});

beforeEach(async () => {
  taken = 0;
  inUse = 0;
  const answers = { 200: { mediaTypes: ["text/plain"] } };
  const app = createHttpApp<string>({
    routes: [
      GET("/v2/short", "A test", { answers, handle: () => ok({}) }),
      GET("/v2/long", "A test", {
        answers,
        produces: "text/plain",
        handle: () => streamed("text/plain", Readable.from(Array<Buffer>(PIECES).fill(PIECE))),
      }),
      GET("/v2/endless", "A test", {
        answers,
        produces: "text/event-stream",
        handle: () => streamed("text/event-stream", new Readable({ read: () => undefined })),
      }),
    ],
    protectedPrefix: "/v2",
    pool: noDatabase,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    authenticate: () => Promise.resolve("caller"),
    slots: {
      enter: () => {
        taken += 1;
        inUse += 1;
        return undefined;
      },
      leave: () => (inUse -= 1),
    },
  });
  server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log, drainMs: 0 });
  client = connect(server.port, "127.0.0.1").on("error", () => undefined);
});

afterEach(async () => {
  client.destroy();
  await server.stop();
});

function send(...paths: string[]): void {
  for (const path of paths) client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\n\r\n`);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe("a caller's slot", () => {
  it("is given back once the answer is written", async () => {
    send("/v2/short", "/v2/short", "/v2/nowhere");
    client.resume();
    await until(() => taken === 3 && inUse === 0);
  });

  it("is kept by an answer that nobody reads, and by those behind it, until the connection ends", async () => {
    send("/v2/long", "/v2/short", "/v2/long");
    await until(() => taken === 3);
    const answer = await fetch(`http://127.0.0.1:${server.port}/v2/short`, { headers: KEY });
    expect(answer.status).toBe(200);
    await answer.text();
    await until(() => inUse === 3);
    client.destroy();
    await until(() => inUse === 0);
  });

  it("is not kept by an open event stream", async () => {
    send("/v2/endless");
    await until(() => taken === 1 && inUse === 0);
  });
});

describe("a slot of a route", () => {
  // Given back before, 18 large answers of one account were compressed at once, beside others' requests.
  it("is kept until the answer is compressed", async () => {
    const inSlot: unknown[] = [];
    const body = { data: Array(10_000).fill("an entry") };
    const app = createHttpApp<string>({
      routes: [
        GET("/v2/large", "A test", {
          answers: { 200: { mediaTypes: ["application/json"] } },
          inSlot: async (_, run) => {
            const reply = await run();
            inSlot.push(reply);
            return reply;
          },
          handle: () => Promise.resolve(ok(body)),
        }),
      ],
      protectedPrefix: "/v2",
      pool: noDatabase,
      log,
      metrics: createMetrics("test"),
      readiness: () => Promise.resolve([]),
      authenticate: () => Promise.resolve("caller"),
    });
    const serving = await startHttpServer(app, { host: "127.0.0.1", port: 0, log, drainMs: 0 });
    const answer = await fetch(`http://127.0.0.1:${serving.port}/v2/large`, {
      headers: { ...KEY, "Accept-Encoding": "gzip" },
    });
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
    expect(await answer.json()).toEqual(body);
    expect(inSlot).toMatchObject([{ raw: { encoding: "gzip" } }]);
    await serving.stop();
  });

  it("is taken before the request's transaction begins, and given back when it ends", async () => {
    let begun = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const slots = new FairSlots({ total: 1, perOwner: 1, maxWaiting: 0, maxWaitMs: 1 });
    const app = createHttpApp<string>({
      routes: [
        POST("/v2/counted", "A test", {
          answers: { 200: { mediaTypes: ["text/plain"] } },
          inSlot: ({ principal }, run) =>
            slots.run(principal, run).catch(refusedAs("One at once.")),
          handle: () => ended.then(() => ok({})),
        }),
      ],
      protectedPrefix: "/v2",
      pool: noDatabase,
      log,
      metrics: createMetrics("test"),
      readiness: () => Promise.resolve([]),
      authenticate: () => Promise.resolve("caller"),
      idempotency: {
        ownerOf: (caller) => caller,
        once: () => (_prepare, run) => {
          begun += 1;
          return run(noDatabase);
        },
      },
    });
    const counting = await startHttpServer(app, { host: "127.0.0.1", port: 0, log, drainMs: 0 });
    const post = async (): Promise<number> => {
      const headers = { ...KEY, "Idempotency-Key": "once" };
      const url = `http://127.0.0.1:${counting.port}/v2/counted`;
      return (await fetch(url, { method: "POST", headers })).status;
    };
    const first = post();
    await until(() => begun === 1);
    expect(await post()).toBe(429);
    expect(begun).toBe(1);
    end();
    expect(await first).toBe(200);
    expect(await post()).toBe(200);
    await counting.stop();
  });
});
