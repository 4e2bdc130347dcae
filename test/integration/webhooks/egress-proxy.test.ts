import { createServer } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Agent } from "undici";
import { until } from "../../../infra/start/supervisor/until.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createAddressPolicy } from "../../../services/platform/net/address-policy.ts";
import {
  createGuardedAgent,
  type GuardedAgentOptions,
} from "../../../services/webhook-sender/attempt/guarded-connect.ts";
import { ProxyUnusable } from "../../../services/webhook-sender/attempt/open-tunnel.ts";
import type { Resolve } from "../../../services/platform/net/name-resolver.ts";
import { attemptOnce } from "../../support/webhooks/attempt-once.ts";
import {
  startConnectProxy,
  type ConnectProxy,
  type ProxyRule,
} from "../../support/net/connect-proxy.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import {
  listenWith,
  startRawReceiver,
  type Listening,
} from "../../support/webhooks/raw-receiver.ts";
import { makeCertificates, type TestCertificates } from "../../support/net/test-certificates.ts";
import { openWebhookStack } from "../../support/webhooks/webhook-stack.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

const NAME = "hooks.example";
const FIRST = "93.184.216.34";
const SECOND = "2606:2800:220:1::1";
/** For connections that are never made. */
const SHORT = { connectTimeoutMs: 800 };
/** For those that are, however busy the machine is. */
const PATIENT_MS = 10_000;

const running: Listening[] = [];
const agents: Agent[] = [];
let certificates: TestCertificates;

beforeAll(() => {
  certificates = makeCertificates(NAME);
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
  for (const one of running.splice(0)) one.stop();
});

const resolvesTo =
  (...addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

function agentBy(proxyUrl: string, options: Partial<GuardedAgentOptions> = {}): Agent {
  const agent = createGuardedAgent({
    policy: createAddressPolicy([]),
    allowHttp: false,
    connectTimeoutMs: PATIENT_MS,
    ca: certificates.ca,
    resolve: resolvesTo(FIRST, SECOND),
    proxyUrl,
    ...options,
  });
  agents.push(agent);
  return agent;
}

function keep<T extends Listening>(one: T): T {
  running.push(one);
  return one;
}

const secureReceiver = async (): Promise<Listening> =>
  keep(
    await startRawReceiver(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      certificates.good,
    ),
  );

const proxyTo = async ({ port }: Listening, rule?: ProxyRule): Promise<ConnectProxy> =>
  keep(await startConnectProxy(port, rule === undefined ? {} : { rule }));

const at = ({ port }: Listening, credentials = ""): string =>
  `http://${credentials}127.0.0.1:${port}`;

const urlAt = (host: string): string => `https://${host}:8443/hooks`;

const codeBy = async (proxyUrl: string, options?: Partial<GuardedAgentOptions>) =>
  (await attemptOnce(agentBy(proxyUrl, options), urlAt(NAME), PATIENT_MS)).error?.code ?? null;

describe("an egress proxy", () => {
  it("gets the vetted address; the certificate is checked against the name", async () => {
    const receiver = await secureReceiver();
    const proxy = await proxyTo(receiver);
    const agent = agentBy(at(proxy, "sender:p%40ss@"));
    for (let n = 0; n < 6; n += 1) {
      expect(await attemptOnce(agent, urlAt(NAME))).toMatchObject({
        response_code: 200,
        error: null,
      });
    }
    expect(new Set(proxy.asked)).toEqual(new Set([`${FIRST}:8443`]));
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    const basic = `Basic ${Buffer.from("sender:p@ss").toString("base64")}`;
    expect(new Set(proxy.credentials)).toEqual(new Set([basic]));
    const other = await attemptOnce(agent, urlAt("other.example"));
    expect(other.error?.code).toBe("tls_wrong_host");
  });

  it("gets no request for an address that is not allowed", async () => {
    const receiver = await secureReceiver();
    const proxy = await proxyTo(receiver);
    const blocked = ["127.0.0.1", "[::ffff:10.0.0.1]", "2130706433", "169.254.169.254"];
    for (const host of blocked) {
      const entry = await attemptOnce(agentBy(at(proxy)), urlAt(host));
      expect(entry.error?.code).toBe("blocked_address");
    }
    const mixed = { resolve: resolvesTo(FIRST, "10.0.0.1") };
    expect(await codeBy(at(proxy), mixed)).toBe("blocked_address");
    expect(await codeBy(at(proxy), { resolve: resolvesTo() })).toBe("dns_error");
    const unanswered: Resolve = () => new Promise(() => undefined);
    expect(await codeBy(at(proxy), { ...SHORT, resolve: unanswered })).toBe("timeout_connect");
    const plain = await attemptOnce(agentBy(at(proxy)), `http://${NAME}/`);
    expect(plain.error?.code).toBe("not_https");
    expect([proxy.accepted, receiver.accepted]).toEqual([0, 0]);
  });

  it("gets the next address when it does not reach the first", async () => {
    const receiver = await secureReceiver();
    const refusal = "HTTP/1.1 502 Bad Gateway\r\n\r\n";
    const proxy = await proxyTo(receiver, (target) => (target.startsWith(FIRST) ? refusal : null));
    expect(await codeBy(at(proxy))).toBeNull();
    expect(proxy.asked).toEqual([`${FIRST}:8443`, `[${SECOND}]:8443`]);
  });

  it.each([
    ["502 Bad Gateway", "connection_failed"],
    ["504 Gateway Timeout", "connection_failed"],
    ["500 Oh", "connection_failed"],
    ["403 Forbidden", "blocked_address"],
    ["407 Denied\r\nX-Smokescreen-Error: host forbidden", "blocked_address"],
    ["101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c", "connection_failed"],
  ])("that answers %s gives %s", async (answer, code) => {
    const proxy = await proxyTo(await secureReceiver(), () => `HTTP/1.1 ${answer}\r\n\r\n`);
    expect(await codeBy(at(proxy))).toBe(code);
    await until(() => proxy.open === 0, { timeoutMs: 10_000, what: "the tunnel's end" });
  });

  it("that accepts the request and never answers causes a connect timeout", async () => {
    const proxy = await proxyTo(await secureReceiver(), () => "");
    expect(await codeBy(at(proxy), SHORT)).toBe("timeout_connect");
    await until(() => proxy.open === 0, { timeoutMs: 10_000, what: "the tunnel's end" });
  });

  it("that is down, invalid or refuses us is not counted against the endpoint, and its password stays hidden", async () => {
    const lines: string[] = [];
    const log = createLogger("test", "info", { write: (line) => void lines.push(line) });
    const closed = await startRawReceiver(() => undefined);
    closed.stop();
    const refusing = await proxyTo(
      await secureReceiver(),
      () => "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
    );
    const silent = keep(await listenWith(createServer((socket) => socket.resume())));
    const secret = "sender:hunter2@";
    const urls = [
      at(closed, secret),
      at(refusing, secret),
      `https://${secret}127.0.0.1:${silent.port}`,
      `http://${secret}no-such-proxy.invalid:3128`,
    ];
    for (const url of urls) {
      const failure: unknown = await codeBy(url, SHORT).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProxyUnusable);
      log.warn({ err: failure }, "unsent");
    }
    expect(lines).toHaveLength(urls.length);
    expect(lines.join("")).not.toMatch(/hunter2|c2VuZGVy/);
  });
});

describe("deliveries behind an egress proxy", () => {
  let stack: Awaited<ReturnType<typeof openWebhookStack>>;

  beforeAll(async () => {
    stack = await openWebhookStack({ retrySchedule: "1h" });
  });

  it("wait without an attempt while it is down, and are sent when it is back", async () => {
    const receiver = await startWebhookReceiver();
    const port = Number(new URL(receiver.url).port);
    const reserved = await startRawReceiver(() => undefined);
    reserved.stop();
    const account = await stack.newAccount();
    const { id } = await stack.newEndpoint(account, `${receiver.url}/proxied`);
    const sender = await stack.startSender({ WEBHOOK_PROXY_URL: at(reserved) });
    await stack.publish([freshEvent(account), freshEvent(account)]);
    const claims = () =>
      stack.pool.query<{ claims: number }>(
        "select coalesce(min(claim_no), 0) as claims from webhooks.deliveries where account_id = $1",
        [account],
      );
    await eventually(async () => expect((await claims()).rows[0]?.claims).toBeGreaterThan(2));
    for (const delivery of await stack.deliveries(account)) {
      expect(delivery).toMatchObject({ status: "pending", attempt_log: [] });
    }
    const proxy = keep(await startConnectProxy(port, { listenOn: reserved.port }));
    await eventually(async () => {
      for (const delivery of await stack.deliveries(account)) {
        expect(delivery).toMatchObject({ status: "succeeded", attempt_count: 1 });
        expect(delivery.attempt_log).toHaveLength(1);
      }
    });
    expect(receiver.received).toHaveLength(2);
    expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${port}`]));
    const health = await stack.pool.query<{ consecutive_failures: number }>(
      "select consecutive_failures from webhooks.endpoint_health where endpoint_id = $1",
      [id],
    );
    expect(health.rows).toEqual([{ consecutive_failures: 0 }]);
    await sender.stop();
    await receiver.stop();
  });
});
