import { createServer } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Agent } from "undici";
import type { AttemptErrorCode } from "../../../services/domain/webhook/rules/delivery.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { createAddressPolicy } from "../../../services/platform/net/address-policy.ts";
import { createGuardedAgent } from "../../../services/webhook-sender/attempt/guarded-connect.ts";
import { createUrlCheck } from "../../../services/api/webhooks/url-check.ts";
import { createNameResolver, type Resolve } from "../../../services/platform/net/name-resolver.ts";
import { prepareFor } from "../../../services/platform/http/routing/preparing.ts";
import { attemptOnce } from "../../support/webhooks/attempt-once.ts";
import { countConnects, type ConnectCounter } from "../../support/net/connect-counter.ts";
import {
  listenWith,
  startRawReceiver,
  type Listening,
} from "../../support/webhooks/raw-receiver.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";

const PUBLIC = "93.184.216.34";
const CONNECT_MS = 500;
const STRICT = createAddressPolicy([]);
const BY_DNS = createNameResolver();

/** This machine in every spelling known to bypass checks, and private and reserved addresses. */
const FORBIDDEN_HOSTS = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0"],
  ...["2130706433", "017700000001", "0177.0.0.1", "0x7f.1", "0x7f000001", "0x7F.0x0.0x0.0x1"],
  ...["%31%32%37.0.0.1", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "localhost", "LOCALHOST"],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
  ],
  ...[
    "[::ffff:0:127.0.0.1]",
    "[0:0:0:0:0:ffff:a00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
  ],
  ...[
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2001::7f00:1]",
    "[2001:0:5ef5:79fd::1]",
  ],
  ...[
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[100::1]",
  ],
  ...["[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[2001:10::1]"],
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1"],
  ...["169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518"],
  ...["192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255"],
];

/** Texts that are not hosts. A URL has no zone. */
const NO_HOSTS = [
  "[fe80::1%25lo]",
  "[fe80::1%lo]",
  "[::1%25lo]",
  "0x7f.0.0.0.1",
  "127.0.0.256",
  "",
];

const agents: Agent[] = [];
let listener: Listening;
let connects: ConnectCounter;

beforeAll(async () => {
  // All addresses of this machine, IPv6 and IPv4 where it has both.
  const on = (host: string): Promise<Listening> => listenWith(createServer(), { host });
  listener = await on("::").catch(() => on("0.0.0.0"));
  connects = countConnects();
  endAfterTests(() => connects.stop());
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
});

const resolvesTo =
  (...addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

function failsWith(code: string): Resolve {
  return () => Promise.reject(Object.assign(new Error("10.0.0.7"), { code }));
}

/** What the creation of an endpoint says; null where it is content. */
async function refusalOf(url: string, resolve: Resolve = BY_DNS): Promise<string | null> {
  const check = createUrlCheck({ policy: STRICT, allowHttp: true, resolve });
  try {
    await check(prepareFor("account"), url, "#/url");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

/** What an attempt at a URL that was stored all the same comes to. */
async function attemptAt(url: string, resolve: Resolve = BY_DNS): Promise<AttemptErrorCode | null> {
  const agent = createGuardedAgent({
    policy: STRICT,
    allowHttp: true,
    connectTimeoutMs: CONNECT_MS,
    resolve,
  });
  agents.push(agent);
  const { error } = await attemptOnce(agent, url, 3_000);
  expect(error?.message ?? "").not.toMatch(/\d+\.\d+|::/);
  return error?.code ?? null;
}

/** Runs `run`; returns how many connections were started and how many arrived. */
async function connectsDuring(run: () => Promise<void>): Promise<[begun: number, here: number]> {
  const [begun, here] = [connects.begun, listener.accepted];
  await run();
  return [connects.begun - begun, listener.accepted - here];
}

describe("a forbidden host", () => {
  it.each(FORBIDDEN_HOSTS)("%s is refused at creation and at sending", async (host) => {
    const during = await connectsDuring(async () => {
      for (const scheme of ["http", "https"]) {
        const url = `${scheme}://${host}:${listener.port}/`;
        expect([url, await refusalOf(url)]).toEqual([url, "webhook_url_blocked"]);
        expect([url, await attemptAt(url)]).toEqual([url, "blocked_address"]);
      }
    });
    expect(during).toEqual([0, 0]);
  });

  it.each(NO_HOSTS)("%p is not a URL", async (host) => {
    const url = `https://${host}:${listener.port}/`;
    expect(await refusalOf(url)).toBe("validation_failed");
    expect(URL.canParse(url)).toBe(false);
  });

  it("is every address of this machine, including public ones", async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    expect(own.length).toBeGreaterThan(0);
    const during = await connectsDuring(async () => {
      for (const { address, family } of own) {
        const host = family === "IPv6" ? `[${address}]` : address;
        const url = `http://${host}:${listener.port}/`;
        expect([address, await refusalOf(url)]).toEqual([address, "webhook_url_blocked"]);
        expect([address, await attemptAt(url)]).toEqual([address, "blocked_address"]);
      }
    });
    expect(during).toEqual([0, 0]);
  });
});

describe("a name", () => {
  it.each(["localhost.", "any.localhost", hostname()])(
    "%s of this machine is refused, whatever it resolves to",
    async (name) => {
      const url = `http://${name}:${listener.port}/`;
      const during = await connectsDuring(async () => {
        expect(await refusalOf(url)).toBe("webhook_url_blocked");
        expect(["blocked_address", "dns_error"]).toContain(await attemptAt(url));
      });
      expect(during).toEqual([0, 0]);
    },
  );

  it.each<[string, readonly string[]]>([
    ["loopback", ["127.0.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["IPv4 in IPv6", ["::ffff:127.0.0.1"]],
    ["IPv4 in IPv6 in hex", ["::ffff:7f00:1"]],
    ["NAT64", ["64:ff9b::7f00:1"]],
    ["6to4", ["2002:7f00:1::1"]],
    ["Teredo", ["2001:0:5ef5:79fd:0:59d:80ff:fffe"]],
    ["link-local with a zone", ["fe80::1%lo"]],
    ["the metadata service", ["169.254.169.254"]],
    ["an invalid address", ["127.0.0.1/8"]],
    ["text only", ["localhost"]],
    ["public, then private", [PUBLIC, "127.0.0.1"]],
    ["private, then public", ["::1", PUBLIC]],
    ["twenty public and one private", [...Array<string>(20).fill(PUBLIC), "10.0.0.1"]],
  ])("that resolves to %s is refused at creation and at sending", async (_what, addresses) => {
    const resolve = resolvesTo(...addresses);
    const url = `http://hooks.example:${listener.port}/`;
    const during = await connectsDuring(async () => {
      expect(await refusalOf(url, resolve)).toBe("webhook_url_blocked");
      expect(await attemptAt(url, resolve)).toBe("blocked_address");
    });
    expect(during).toEqual([0, 0]);
  });

  it("that becomes private between creation and sending is not connected to", async () => {
    const url = `http://hooks.example:${listener.port}/`;
    const during = await connectsDuring(async () => {
      expect(await refusalOf(url, resolvesTo(PUBLIC))).toBeNull();
      expect(await attemptAt(url, resolvesTo("127.0.0.1"))).toBe("blocked_address");
    });
    expect(during).toEqual([0, 0]);
  });

  it("is resolved once per connection, so a second answer is never connected to", async () => {
    const receiver = await startRawReceiver(
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    );
    let asked = 0;
    const turning: Resolve = (hostname, owner) => {
      asked += 1;
      return resolvesTo(asked === 1 ? "127.0.0.2" : "127.0.0.1")(hostname, owner);
    };
    const agent = createGuardedAgent({
      policy: createAddressPolicy(["127.0.0.2/32"]),
      allowHttp: true,
      connectTimeoutMs: CONNECT_MS,
      resolve: turning,
    });
    agents.push(agent);
    const url = `http://hooks.example:${receiver.port}/`;
    const during = await connectsDuring(async () => {
      // Nothing listens on 127.0.0.2, which is allowed; the listener is on 127.0.0.1, which is not.
      const first = await attemptOnce(agent, url, 3_000);
      expect([asked, first.error?.code]).toEqual([1, "connection_refused"]);
      const second = await attemptOnce(agent, url, 3_000);
      expect([asked, second.error?.code]).toEqual([2, "blocked_address"]);
    });
    expect([during[0], receiver.accepted]).toEqual([1, 0]);
    receiver.stop();
  });

  it.each<[string, Resolve, AttemptErrorCode]>([
    ["does not exist", failsWith("ENOTFOUND"), "dns_error"],
    ["cannot be resolved now", failsWith("EAI_AGAIN"), "dns_error"],
    ["makes the server fail", failsWith("ESERVFAIL"), "dns_error"],
    ["has no address", resolvesTo(), "dns_error"],
    ["is never answered", () => new Promise(() => undefined), "timeout_connect"],
  ])("that %s is not connected to", async (_what, resolve, code) => {
    const url = `http://hooks.example:${listener.port}/`;
    const during = await connectsDuring(async () => {
      expect(await refusalOf(url, resolve)).toBe("webhook_url_blocked");
      expect(await attemptAt(url, resolve)).toBe(code);
    });
    expect(during).toEqual([0, 0]);
  });
});

describe("plain HTTP", () => {
  it("is not used unless it is allowed, whatever was stored", async () => {
    const agent = createGuardedAgent({
      policy: createAddressPolicy(["127.0.0.0/8"]),
      allowHttp: false,
      connectTimeoutMs: CONNECT_MS,
    });
    agents.push(agent);
    const during = await connectsDuring(async () => {
      const { error } = await attemptOnce(agent, `http://127.0.0.1:${listener.port}/`, 3_000);
      expect(error?.code).toBe("not_https");
    });
    expect(during).toEqual([0, 0]);
  });
});

describe("the count of connections in these tests", () => {
  it("sees a connection that is allowed", async () => {
    const agent = createGuardedAgent({
      policy: createAddressPolicy(["127.0.0.0/8"]),
      allowHttp: true,
      connectTimeoutMs: CONNECT_MS,
    });
    agents.push(agent);
    const during = await connectsDuring(async () => {
      const { error } = await attemptOnce(agent, `http://127.0.0.1:${listener.port}/`, 700);
      expect(error?.code).toBe("timeout_response");
    });
    expect(during).toEqual([1, 1]);
  });
});
