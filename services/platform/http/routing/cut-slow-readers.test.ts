import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { cutSlowReaders } from "./http-server.ts";
import { listen } from "./listen.ts";

const PACE = { withinMs: 500, bytesPerSecond: 100_000 };
const PIECE = Buffer.alloc(65_536);
/** More than the kernel takes off a process for a connection that nobody reads. */
const PIECES = 500;

let server: Server;
let port: number;
let client: Socket;
let cuts: number;
let closed: Promise<unknown>;

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/large": (response) => Readable.from(Array<Buffer>(PIECES).fill(PIECE)).pipe(response),
  "/idle": (response) => response.write("an event"),
};

beforeEach(async () => {
  cuts = 0;
  server = createServer(({ url = "" }, response) => ANSWERS[url]?.(response));
  cutSlowReaders(server, PACE, () => (cuts += 1));
  port = await listen(server, { host: "127.0.0.1", port: 0 });
  open();
});

function open(): void {
  client = connect(port, "127.0.0.1").on("error", () => undefined);
}

afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function ask(path: string): void {
  closed = new Promise((resolve) =>
    server.once("request", ({ socket }) => socket.once("close", resolve)),
  );
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
}

/** Reads 10 kB/s until it is cut off. */
async function readSlowly(): Promise<void> {
  while (cuts === 0) {
    client.read(Math.min(100, client.readableLength));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a client", () => {
  it("that reads nothing is cut off", async () => {
    ask("/large");
    await closed;
    expect(cuts).toBe(1);
  });

  it("that reads slower than the pace is cut off", async () => {
    ask("/large");
    await readSlowly();
    await closed;
    expect(cuts).toBe(1);
  });

  it("that keeps the pace is served to the end", async () => {
    ask("/large");
    let left = PIECES * PIECE.length;
    await new Promise<void>((resolve) => {
      client.on("data", (piece: Buffer) => {
        left -= piece.length;
        if (left < 0) resolve();
      });
    });
    expect(cuts).toBe(0);
  });

  it("that has nothing to read is left alone", async () => {
    ask("/idle");
    await new Promise((resolve) => client.once("data", resolve));
    const idle = client;
    open();
    ask("/large");
    await closed;
    expect([cuts, idle.destroyed]).toEqual([1, false]);
    idle.destroy();
  });
});
