import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { FaultProxy } from "../../support/net/fault-proxy.ts";

const SOON = { timeoutMs: 60_000, what: "the bytes", everyMs: 5 };

let port: number;
let proxy: FaultProxy;

/** A server that sends back what it gets. */
beforeAll(async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endAfterTests(() => server.close());
  port = (server.address() as AddressInfo).port;
});

beforeEach(async () => {
  proxy = await FaultProxy.start(() => port);
});

interface Client {
  readonly socket: Socket;
  readonly got: () => string;
  readonly error: () => string | null;
}

async function open(): Promise<Client> {
  const socket = connect(proxy.port, "127.0.0.1");
  let [text, code]: [string, string | null] = ["", null];
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? ""));
  endAfterTests(() => socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, got: () => text, error: () => code };
}

async function echoMs({ socket, got }: Client, text: string): Promise<number> {
  const before = got();
  const startedAt = performance.now();
  socket.write(text);
  await until(() => got() === before + text, SOON);
  return performance.now() - startedAt;
}

describe("the fault proxy", () => {
  it("forwards both directions in order, and the end", async () => {
    const client = await open();
    await echoMs(client, "a".repeat(3_000_000));
    const ended = new Promise((resolve) => client.socket.once("end", resolve));
    client.socket.end("last");
    await ended;
    expect(client.got().slice(-5)).toBe("alast");
    await until(() => proxy.connections === 0, SOON);
  });

  it("delays each direction by the latency, give or take the jitter, until it is healed", async () => {
    const client = await open();
    proxy.suffer({ latencyMs: 100, jitterMs: 20 });
    expect(await echoMs(client, "slow")).toBeGreaterThanOrEqual(155);
    proxy.suffer({ latencyMs: 100, directions: ["up"] });
    const oneWay = await echoMs(client, "one way");
    expect(oneWay).toBeGreaterThanOrEqual(95);
    proxy.heal();
    // A busy machine may delay one of them; the proxy would delay all.
    await eventually(async () => expect(await echoMs(client, "quick")).toBeLessThan(95));
  });

  it("holds back one direction while it is silent, and loses nothing", async () => {
    const client = await open();
    const other = await open();
    await echoMs(client, "before");
    proxy.suffer({ silent: true, directions: ["down"] });
    client.socket.write("held");
    other.socket.write("also held");
    await expect(
      until(() => client.got() !== "before", { ...SOON, timeoutMs: 200 }),
    ).rejects.toThrow("Timed out");
    proxy.heal();
    await until(() => client.got() === "beforeheld" && other.got() === "also held", SOON);
  });

  it("throttles to a bandwidth", async () => {
    const client = await open();
    proxy.suffer({ bytesPerSecond: 100_000, directions: ["up"] });
    expect(await echoMs(client, "b".repeat(30_000))).toBeGreaterThanOrEqual(250);
  });

  it("resets open connections and accepts new ones", async () => {
    const client = await open();
    await echoMs(client, "before");
    proxy.cut();
    await until(() => client.error() === "ECONNRESET", SOON);
    await echoMs(await open(), "after");
  });
});
