import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Agent } from "undici";
import { createAddressPolicy } from "../../services/platform/net/address-policy.ts";
import { createGuardedAgent } from "../../services/platform/net/guarded-connect.ts";
import type { Resolve } from "../../services/platform/net/vet-host.ts";
import { startExchange } from "../../services/webhook-sender/dispatch/exchange.ts";

jest.setTimeout(60_000);

const LOOPBACK = createAddressPolicy(["127.0.0.0/8"]);
const stops: (() => void)[] = [];
const agents: Agent[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
});

function agentFor(policy = LOOPBACK, resolve?: Resolve): Agent {
  const options = {
    policy,
    connectTimeoutMs: 1_000,
    ...(resolve === undefined ? {} : { resolve }),
  };
  const agent = createGuardedAgent(options);
  agents.push(agent);
  return agent;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A receiver that speaks in bytes: `answer` is called with the first of each request. */
async function receiverOf(answer: (socket: Socket) => void): Promise<string> {
  const port = await listen(
    createServer((socket) => {
      socket.once("data", () => answer(socket));
    }),
  );
  return `http://127.0.0.1:${port}/`;
}

const post = (url: string, agent = agentFor()) =>
  startExchange(agent, {
    url,
    headers: { "Content-Type": "application/json" },
    body: Buffer.from("{}"),
  }).answer;

const answering = (text: string) => receiverOf((socket) => void socket.write(text));

describe("an exchange", () => {
  it.each([200, 204, 302, 304, 500])("takes the status %i as it is", async (status) => {
    const text = `HTTP/1.1 ${status} X\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n`;
    expect(await post(await answering(text))).toMatchObject({ status, failure: null });
  });

  it("says why there is no answer", async () => {
    const refusing = await receiverOf(() => undefined);
    stops.splice(0).forEach((stop) => stop());
    expect(await post(refusing)).toMatchObject({ status: null, failure: "connection_refused" });
    const resetting = await receiverOf((socket) => socket.resetAndDestroy());
    expect(await post(resetting)).toMatchObject({ status: null, failure: "connection_reset" });
    const garbage = await answering("NONSENSE\r\n\r\n");
    expect(await post(garbage)).toMatchObject({ status: null, failure: "invalid_response" });
    const nowhere = await post("http://no-such-host.invalid/");
    expect(nowhere).toMatchObject({ status: null, failure: "dns_error" });
  });

  it("keeps 4 KiB of a body without end, and reads little more", async () => {
    let sent = 0;
    const url = await receiverOf((socket) => {
      const chunk = Buffer.alloc(16_384, "a");
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n");
      const more = (): void => {
        while (!socket.destroyed && sent < 104_857_600) {
          sent += chunk.length;
          if (!socket.write(chunk)) {
            socket.once("drain", more);
            return;
          }
        }
      };
      more();
    });
    const answer = await post(url);
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer?.body).toHaveLength(4_096);
    expect(sent).toBeLessThan(16 * 1_048_576);
  });

  it("does not decompress", async () => {
    const bomb = gzipSync(Buffer.alloc(1_048_576));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const url = await receiverOf(
      (socket) => void socket.write(Buffer.concat([Buffer.from(head), bomb])),
    );
    expect((await post(url))?.body).toEqual(bomb.subarray(0, 4_096));
  });

  it("stands with its status though the body drips or breaks off", async () => {
    const asked = performance.now();
    const dripping = await answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nslow");
    const answer = await post(dripping);
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer?.body.toString()).toBe("slow");
    expect(performance.now() - asked).toBeLessThan(5_000);
    const broken = await receiverOf((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
    );
    expect(await post(broken)).toMatchObject({ status: 200, failure: null });
  });

  it("ends after 15 s without an answer", async () => {
    const asked = performance.now();
    const url = await receiverOf(() => undefined);
    expect(await post(url)).toMatchObject({ status: null, failure: "timeout_response" });
    expect(performance.now() - asked).toBeLessThan(16_000);
  });

  it("refuses a certificate that nobody vouches for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "webhook-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    const files = ["-nodes", "-keyout", key, "-out", cert, "-subj", "/CN=localhost", "-days", "1"];
    execFileSync("openssl", [...request, ...files], { stdio: "ignore" });
    const port = await listen(
      createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }),
    );
    rmSync(folder, { recursive: true });
    const url = `https://localhost:${port}/`;
    expect(await post(url)).toMatchObject({ status: null, failure: "tls_error" });
    const plain = new URL(await answering("HTTP/1.1 200 OK\r\n\r\n"));
    expect(await post(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ failure: "tls_error" });
  });

  it("makes no connection to what is not allowed, whatever it is called", async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    });
    const port = await listen(server);
    const strict = createAddressPolicy([]);
    const turning: Resolve = (_hostname, _options, callback) =>
      callback(null, [
        { address: "93.184.216.34", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]);
    for (const host of [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "0.0.0.0",
    ]) {
      const answer = await post(`http://${host}:${port}/`, agentFor(strict));
      expect([host, answer?.failure]).toEqual([host, "blocked_address"]);
    }
    const mixed = await post(`http://mixed.example:${port}/`, agentFor(strict, turning));
    expect(mixed).toMatchObject({ status: null, failure: "blocked_address" });
    expect(connections).toBe(0);
  });
});
