import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { makeCertificates, type Certificate } from "../../support/net/test-certificates.ts";
import { attemptOnce } from "../../support/webhooks/attempt-once.ts";
import {
  listenWith,
  startRawReceiver,
  type Listening,
} from "../../support/webhooks/raw-receiver.ts";
import {
  codeOf,
  CONNECT_MS,
  head,
  openSockets,
  prepareAttempts,
  secureUrlOf,
  SLACK_MS,
} from "../../support/webhooks/receiver-attempts.ts";

const before = openSockets();
const certificates = makeCertificates("localhost");
const { agentOf, keep, answering, attemptAlone, end } = prepareAttempts(certificates);

afterEach(end);

describe("a receiver's TLS", () => {
  const secureReceiver = async (
    certificate: Certificate,
    options: { readonly maxVersion?: "TLSv1.1" | "TLSv1.2" } = {},
  ): Promise<Listening> =>
    keep(
      await startRawReceiver((socket) => void socket.write(head(200, "Content-Length: 0")), {
        ...certificate,
        ...options,
        ...(options.maxVersion === "TLSv1.1"
          ? { minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }
          : {}),
      }),
    );

  it("is accepted when its authority, name and dates are valid", async () => {
    for (const options of [{}, { maxVersion: "TLSv1.2" as const }]) {
      const receiver = await secureReceiver(certificates.good, options);
      const agent = agentOf();
      for (let n = 0; n < 6; n += 1) {
        const entry = await attemptOnce(agent, secureUrlOf(receiver));
        expect(entry).toMatchObject({ response_code: 200, error: null });
      }
      expect(receiver.accepted).toBeLessThanOrEqual(2);
    }
  });

  it.each<[string, () => Certificate, string]>([
    ["expired", () => certificates.expired, "localhost"],
    ["self-signed", () => certificates.selfSigned, "localhost"],
    ["for another name", () => certificates.good, "other.example"],
    ["for a name, not an address", () => certificates.good, "127.0.0.1"],
  ])("is refused each time when its certificate is %s", async (_what, certificate, host) => {
    for (const options of [{}, { maxVersion: "TLSv1.2" as const }]) {
      const receiver = await secureReceiver(certificate(), options);
      const agent = agentOf({
        resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      });
      for (let n = 0; n < 2; n += 1) {
        const entry = await attemptOnce(agent, secureUrlOf(receiver, host));
        expect(entry.error).toEqual({
          code: "tls_error",
          message: "A secure connection could not be established.",
        });
      }
      await until(() => receiver.open === 0, { timeoutMs: 10_000, what: "the connections' end" });
    }
  });

  it("is refused when it is too old or missing", async () => {
    const old = await secureReceiver(certificates.good, { maxVersion: "TLSv1.1" });
    expect(codeOf(await attemptAlone(old, { url: secureUrlOf(old) }))).toBe("tls_error");
    const plain = await answering(head(200, "Content-Length: 0"));
    expect(codeOf(await attemptAlone(plain, { url: secureUrlOf(plain) }))).toBe("tls_error");
  });

  it("that never starts times out before the attempt's deadline", async () => {
    const silent = keep(await listenWith(createServer((socket) => socket.resume())));
    const entry = await attemptOnce(
      agentOf({ connectTimeoutMs: CONNECT_MS }),
      secureUrlOf(silent),
      5_000,
    );
    expect(codeOf(entry)).toBe("timeout_connect");
    expect(entry.duration_ms).toBeLessThan(CONNECT_MS + 2 * SLACK_MS);
    await until(() => silent.open === 0, { timeoutMs: 10_000, what: "the connection's end" });
  });
});

describe("a receiver's name", () => {
  it("that does not exist, or that DNS never answers, gets a specific error", async () => {
    const missing = await attemptOnce(agentOf(), "https://no-such-host.invalid/");
    expect(codeOf(missing)).toBe("dns_error");
    const deaf = agentOf({
      connectTimeoutMs: CONNECT_MS,
      resolve: () => new Promise(() => undefined),
    });
    const entry = await attemptOnce(deaf, "https://slow.example/", 5_000);
    expect(codeOf(entry)).toBe("timeout_connect");
    expect(entry.duration_ms).toBeLessThan(CONNECT_MS + 2 * SLACK_MS);
  });
});

it("leaves no socket open once the receivers are gone", async () => {
  await until(() => openSockets() <= before, { timeoutMs: 60_000, what: "the last socket's end" });
  expect(openSockets()).toBeLessThanOrEqual(before);
});
