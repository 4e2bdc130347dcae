import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { Dispatcher } from "undici";
import { startExchange, classifyFailure } from "./exchange.ts";
import { TunnelRefused } from "./open-tunnel.ts";
import { BlockedAddress, PlainHttp } from "../../platform/net/address-policy.ts";

const DEADLINE_MS = 30;

const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;

/** An exchange whose receiver answers when it is asked to. */
function openExchange() {
  let handler: Dispatcher.DispatchHandler = {};
  const dispatch = (_request: unknown, given: Dispatcher.DispatchHandler): boolean => {
    handler = given;
    return true;
  };
  const client = { dispatch } as unknown as Dispatcher;
  const request = {
    owner: "an account",
    url: "https://example.com/hook",
    headers: {},
    body: Buffer.from("{}"),
  };
  const { answer } = startExchange(client, request, DEADLINE_MS);
  handler.onRequestStart?.(controller, {});
  return {
    answer,
    respond: () => {
      handler.onResponseStart?.(controller, 200, {}, "OK");
      handler.onResponseEnd?.(controller, {});
    },
  };
}

/** Nothing else of the process runs in the meantime. */
function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("an exchange with a receiver", () => {
  it("is a timeout where no answer comes", async () => {
    const { answer } = openExchange();
    expect(await answer).toMatchObject({ status: null, failure: "timeout_response" });
  });

  it("counts an answer that came while the sender itself did not run", async () => {
    const { answer, respond } = openExchange();
    stall(4 * DEADLINE_MS);
    await nextTurn();
    respond();
    expect(await answer).toMatchObject({ status: 200, failure: null });
  });

  it("is a timeout after a stall too where no answer comes", async () => {
    const { answer } = openExchange();
    stall(4 * DEADLINE_MS);
    expect(await answer).toMatchObject({ status: null, failure: "timeout_response" });
  });
});

const failure = (code: string): Error => Object.assign(new Error("10.0.0.7:443"), { code });

describe("classifyFailure", () => {
  it.each([
    ["ENOTFOUND", "dns_error"],
    ["EAI_AGAIN", "dns_error"],
    ["EAI_SYSTEM", "dns_error"],
    ["ESERVFAIL", "dns_error"],
    ["ECONNREFUSED", "connection_refused"],
    ["UND_ERR_SOCKET", "connection_reset"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout_connect"],
    ["CERT_HAS_EXPIRED", "tls_expired"],
    ["CERT_NOT_YET_VALID", "tls_expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_wrong_host"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_untrusted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls_untrusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls_untrusted"],
    ["CERT_REVOKED", "tls_untrusted"],
    ["ERR_SSL_UNSUPPORTED_PROTOCOL", "tls_version"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls_version"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls_other"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls_other"],
    ["EPROTO", "tls_other"],
    ["EHOSTUNREACH", "connection_failed"],
    ["SOMETHING_NEW", "connection_failed"],
  ])("classifies %s as %s", (code, expected) => {
    expect(classifyFailure(failure(code))).toBe(expected);
  });

  it("looks into the errors of several addresses and into causes", () => {
    const several = new AggregateError([failure("ECONNREFUSED"), failure("ENETUNREACH")]);
    expect(classifyFailure(several)).toBe("connection_refused");
    expect(classifyFailure(new Error("x", { cause: new BlockedAddress("private") }))).toBe(
      "blocked_address",
    );
  });

  it("names the rule that was broken", () => {
    expect(classifyFailure(new PlainHttp())).toBe("not_https");
    expect(classifyFailure(new TunnelRefused({ isForbidden: true }))).toBe("blocked_address");
    expect(classifyFailure(new TunnelRefused({ isForbidden: false }))).toBe("connection_failed");
  });

  it("returns connection_failed for a value that is not an error", () => {
    expect(classifyFailure("odd")).toBe("connection_failed");
  });
});
