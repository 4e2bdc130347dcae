import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import {
  ATTEMPT_ERRORS,
  type AttemptErrorCode,
} from "../../../services/domain/webhook/rules/delivery.ts";
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
  urlOf,
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

  it.each<[string, () => Certificate, string, AttemptErrorCode]>([
    ["expired", () => certificates.expired, "localhost", "tls_expired"],
    ["self-signed", () => certificates.selfSigned, "localhost", "tls_untrusted"],
    ["for another name", () => certificates.good, "other.example", "tls_wrong_host"],
    ["for a name, not an address", () => certificates.good, "127.0.0.1", "tls_wrong_host"],
  ])("is refused each time when its certificate is %s", async (_what, certificate, host, code) => {
    for (const options of [{}, { maxVersion: "TLSv1.2" as const }]) {
      const receiver = await secureReceiver(certificate(), options);
      const agent = agentOf({
        resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      });
      for (let n = 0; n < 2; n += 1) {
        const entry = await attemptOnce(agent, secureUrlOf(receiver, host));
        expect(entry.error).toEqual({ code, message: ATTEMPT_ERRORS[code] });
      }
      await until(() => receiver.open === 0, { timeoutMs: 10_000, what: "the connections' end" });
    }
  });

  it("is refused when it is too old or missing", async () => {
    const old = await secureReceiver(certificates.good, { maxVersion: "TLSv1.1" });
    expect(codeOf(await attemptAlone(old, { url: secureUrlOf(old) }))).toBe("tls_version");
    const plain = await answering(head(200, "Content-Length: 0"));
    expect(codeOf(await attemptAlone(plain, { url: secureUrlOf(plain) }))).toBe("tls_other");
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

describe("a kept connection that the receiver closes", () => {
  /** Answers the first request of each connection, and does `then` with the second. */
  const oneAnswerEach = async (then: (socket: Socket) => void): Promise<Listening> => {
    const answered = new WeakSet<Socket>();
    return keep(
      await startRawReceiver((socket) => {
        if (answered.has(socket)) then(socket);
        else socket.write(head(200, "Content-Length: 0"));
        answered.add(socket);
      }),
    );
  };

  it.each<[string, (socket: Socket) => void]>([
    ["closed", (socket) => socket.end()],
    ["reset", (socket) => socket.resetAndDestroy()],
  ])("is replaced within the attempt when it is %s before an answer", async (_how, then) => {
    const receiver = await oneAnswerEach(then);
    const agent = agentOf();
    for (let n = 0; n < 4; n += 1) {
      const entry = await attemptOnce(agent, urlOf(receiver));
      expect(entry).toMatchObject({ response_code: 200, error: null });
    }
    expect(receiver.accepted).toBeGreaterThan(1);
  });

  it("is not replaced when it brought a byte, or was never used", async () => {
    const receiver = await oneAnswerEach((socket) => socket.end("H"));
    const agent = agentOf();
    // A connection is free one event loop turn after its answer, so the next request may need a second one.
    const codes = [];
    for (let n = 0; n < 3; n += 1) codes.push(codeOf(await attemptOnce(agent, urlOf(receiver))));
    expect(codes).toContain("connection_reset");
    const closing = keep(await startRawReceiver((socket) => void socket.end()));
    expect(codeOf(await attemptAlone(closing))).toBe("connection_reset");
    expect(closing.accepted).toBe(1);
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
