import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startRegistryGate, type RegistryGate } from "./registry-gate.ts";
import { CONFLUENT_API } from "./registry-login.ts";

let gate: RegistryGate;
let opened: Socket[];

beforeEach(async () => {
  opened = [];
  gate = await startRegistryGate({
    host: "127.0.0.1",
    port: 0,
    passwords: { reader: "of-reader", writer: "of-writer" },
    upstream: () => "http://127.0.0.1:1",
    headersMs: 200,
  });
});

afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await gate.stop();
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

it("tells who may only read which settings have the login that may register", async () => {
  const answer = await ask("reader", "/config", { method: "PUT" });
  expect(await answer.json()).toEqual({
    error_code: 403,
    message: expect.stringMatching(
      /only the user `writer`.*SCHEMA_REGISTRY_USERNAME.*SCHEMA_REGISTRY_PASSWORD/i,
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
