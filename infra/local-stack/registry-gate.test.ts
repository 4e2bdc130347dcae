import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listen } from "../../services/platform/http/routing/listen.ts";
import { startRegistryGate, type RegistryGate } from "./registry-gate.ts";
import { CONFLUENT_API } from "./logins.ts";

let gate: RegistryGate;
let registry: Server;
/** What the registry was asked. */
let asked: string[];
let opened: Socket[];

beforeEach(async () => {
  opened = [];
  asked = [];
  registry = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    if (request.url?.endsWith("/slow") === true) return;
    void text(request).then((body) => response.end(JSON.stringify(body.length)));
  });
  const port = await listen(registry, { host: "127.0.0.1", port: 0 });
  gate = await startRegistryGate({
    host: "127.0.0.1",
    port: 0,
    passwords: { reader: "of-reader", writer: "of-writer" },
    upstream: () => `http://127.0.0.1:${port}`,
    headersMs: 200,
  });
});

afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await gate.stop();
  registry.closeAllConnections();
  registry.close();
});

function ask(user: "reader" | "writer", path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${gate.port}${CONFLUENT_API}${path}`, {
    ...init,
    headers: { authorization: `Basic ${btoa(`${user}:of-${user}`)}` },
  });
}

/** A connection that has sent this and waits. */
async function open(head: string, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: gate.port, localAddress });
  opened.push(socket);
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write(head);
  return socket;
}

it("tells whoever may only read to register nothing, and names no password to ask for", async () => {
  const answer = await ask("reader", "/config", { method: "PUT" });
  expect(await answer.json()).toEqual({
    error_code: 403,
    message: expect.stringMatching(
      /auto\.register\.schemas=false \(docs\/carriers\.md, Serializers\); only `npm run topics` logs in/,
    ),
  });
});

describe("whoever has no login", () => {
  const HALF = "GET / HTTP/1.1\r\n";

  it("shuts nobody out with the connections of an address", async () => {
    await Promise.all(Array.from({ length: 230 }, () => open(HALF, "127.0.0.2")));
    const answer = await fetch(`http://127.0.0.1:${gate.port}${CONFLUENT_API}/subjects`);
    expect(answer.status).toBe(401);
  });

  it("is cut off soon without a whole head of a request, and without a byte", async () => {
    const waiting = await Promise.all([open(HALF), open("")]);
    await Promise.all(waiting.map((socket) => once(socket.resume(), "close")));
    expect(waiting.map(({ closed }) => closed)).toEqual([true, true]);
  }, 10_000);
});

describe("whoever may only read", () => {
  it("holds no connection to the registry by bodies that are half sent", async () => {
    const path = `${CONFLUENT_API}/subjects/porting.events-value`;
    const head =
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa("reader:of-reader")}\r\n` +
      "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n{";
    const half = await Promise.all(Array.from({ length: 20 }, () => open(head)));
    // Told to go on, each has had its head read.
    await Promise.all(half.map((socket) => once(socket, "data")));
    const answer = await ask("reader", "/subjects", { signal: AbortSignal.timeout(3_000) });
    expect(answer.status).toBe(200);
    expect(asked).toEqual([`GET ${CONFLUENT_API}/subjects`]);
    half[0]?.write(`${" ".repeat(99_998)}}`);
    expect(String((await once(half[0] ?? registry, "data"))[0])).toContain("200 OK");
    expect(asked.slice(1)).toEqual([`POST ${path}`]);
  });

  it("holds no more than half of the connections to the registry by what is slow to answer", async () => {
    const head =
      `GET ${CONFLUENT_API}/subjects/slow HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Basic ${btoa("reader:of-reader")}\r\n\r\n`;
    await Promise.all(Array.from({ length: 20 }, () => open(head.repeat(2), "127.0.0.2")));
    const signal = AbortSignal.timeout(5_000);
    expect((await ask("reader", "/subjects", { signal })).status).toBe(200);
    const slow = asked.filter((line) => line.endsWith("/slow"));
    expect(slow.length).toBeLessThanOrEqual(8);
  });

  it("has a look-up refused that names references, or that is no JSON", async () => {
    const path = "/subjects/porting.events-value";
    const post = (body: string | Buffer<ArrayBuffer>): Promise<Response> =>
      ask("reader", path, { method: "POST", body });
    const named = JSON.stringify({ schema: "{}", references: [{ name: "a" }] });
    for (const body of [named, Buffer.from(named, "utf16le"), "[]", ""]) {
      const refused = await post(body);
      expect([refused.status, await refused.json()]).toEqual([
        422,
        { error_code: 422, message: expect.stringContaining("without `references`") },
      ]);
    }
    expect(asked).toEqual([]);
    for (const references of [undefined, null, []]) {
      expect((await post(JSON.stringify({ schema: "{}", references }))).status).toBe(200);
    }
  });

  it("has a schema refused that is dear to compare, which the writer may send", async () => {
    const path = "/compatibility/subjects/porting.events-value/versions/latest";
    const send = (
      user: "reader" | "writer",
      body: NonNullable<RequestInit["body"]>,
    ): Promise<Response> =>
      ask(user, path, {
        method: "POST",
        body,
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      });
    const most = JSON.stringify({ schema: "x".repeat(128 * 1024 - 13) });
    const tooLarge = `${most}x`;
    for (const body of [tooLarge, new Blob([tooLarge]).stream()]) {
      const refused = await send("reader", body);
      expect([refused.status, await refused.json()]).toEqual([
        413,
        { error_code: 413, message: expect.stringContaining("128 KiB of the user `reader`") },
      ]);
    }
    expect(asked).toEqual([]);
    expect(await (await send("reader", most)).json()).toBe(128 * 1024);
    expect(await (await send("writer", "x".repeat(1024 * 1024))).json()).toBe(1024 * 1024);
    expect((await send("writer", "x".repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});
