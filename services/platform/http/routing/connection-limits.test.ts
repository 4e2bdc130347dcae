import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { limitConnections, networkOf } from "./connection-limits.ts";
import { listen } from "./listen.ts";

const TOTAL = 12;
const PER_ADDRESS = 6;
const RESERVED = 4;
const FEW = 2;

let server: Server;
let port: number;
let refused: string[];
let opened: Socket[];

beforeEach(async () => {
  refused = [];
  opened = [];
  server = createServer((_, response) => response.end("ok"));
  limitConnections(server, {
    ...{ total: TOTAL, perAddress: PER_ADDRESS, reserved: RESERVED, few: FEW },
    onRefused: (reason) => refused.push(reason),
  });
  port = await listen(server, { host: "127.0.0.1", port: 0 });
});

afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Whether the connection is served: refused ones are closed without a byte. */
function open(localAddress: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    opened.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  });
}

async function openMany(localAddress: string, count: number): Promise<number> {
  let served = 0;
  for (let n = 0; n < count; n += 1) served += (await open(localAddress)) ? 1 : 0;
  return served;
}

describe("limitConnections", () => {
  it("refuses an address beyond its limit, and no other address", async () => {
    expect(await openMany("127.0.0.1", 9)).toBe(PER_ADDRESS);
    expect(refused).toEqual(["address", "address", "address"]);
    expect(await openMany("127.0.0.2", 1)).toBe(1);
  });

  it("keeps the last connections for addresses that have few", async () => {
    await openMany("127.0.0.1", PER_ADDRESS);
    expect(await openMany("127.0.0.2", PER_ADDRESS)).toBe(TOTAL - RESERVED - PER_ADDRESS);
    expect(await openMany("127.0.0.3", PER_ADDRESS)).toBe(FEW);
    expect(await openMany("127.0.0.4", PER_ADDRESS)).toBe(FEW);
    expect(await openMany("127.0.0.5", 1)).toBe(0);
    expect(refused.at(-1)).toBe("server");
  });

  it("counts a closed connection no more", async () => {
    await openMany("127.0.0.1", PER_ADDRESS);
    const closed = new Promise((resolve) =>
      server.once("request", (r) => r.once("close", resolve)),
    );
    opened[0]?.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await closed;
    await new Promise((resolve) => opened[0]?.once("close", resolve));
    expect(await openMany("127.0.0.1", 2)).toBe(1);
  });
});

describe("what limits of an address apply to", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"],
    ["2001:db8:0:1::9", "2001:db8:0:1::"],
    ["2001:db8:0:2::9", "2001:db8:0:2::"],
    ["fe80::1%eth0", "fe80::"],
    ["", ""],
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
