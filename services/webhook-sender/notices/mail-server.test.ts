import { describe, expect, it } from "@jest/globals";
import { isLoopback, resultOf } from "./mail-server.ts";
import { waitAfter } from "./notices.ts";

describe("what a failed mail means", () => {
  const outcomes: readonly [string, object, string, boolean][] = [
    ["an unknown recipient", mailFault("RCPT TO", 550), "refused_for_good", false],
    ["a recipient that is to be tried later", mailFault("RCPT TO", 451), "refused", false],
    ["a refused text", { ...mailFault("DATA", 554), code: "EMESSAGE" }, "refused_for_good", false],
    ["a refused sender", mailFault("MAIL FROM", 550), "refused", true],
    ["a wrong password", { code: "EAUTH", responseCode: 535 }, "refused", true],
    ["a server without STARTTLS", { code: "ETLS", command: "STARTTLS" }, "refused", true],
    ["no server", { code: "ESOCKET", originalCode: "ECONNREFUSED" }, "refused", true],
    ["no greeting", { code: "ETIMEDOUT", timeoutType: "GREETING_TIMEOUT" }, "refused", true],
    ["silence", { code: "ETIMEDOUT", timeoutType: "SOCKET_TIMEOUT" }, "unknown", true],
    ["a lost connection", { code: "ECONNECTION" }, "unknown", true],
    ["an end of this process", { name: "AbortError", code: "ABORT_ERR" }, "unknown", true],
  ];

  it.each(outcomes)("%s", (_name, fault, outcome, isServerAway) => {
    expect(resultOf(fault)).toMatchObject({ outcome, isServerAway });
  });

  it("has a reason without the server's text, which may name the recipient", () => {
    const fault = { ...mailFault("RCPT TO", 550), message: "550 ada@example.com is unknown" };
    expect(resultOf(fault).reason).toBe("550");
  });

  function mailFault(command: string, responseCode: number) {
    return { code: "EENVELOPE", command, responseCode };
  }
});

describe("STARTTLS", () => {
  it.each([
    ["localhost", true],
    ["127.0.0.1", true],
    ["[::1]", true],
    ["127.0.0.1.example.com", false],
    ["mail.example.com", false],
  ])("may be missing at %s: %s", (hostname, expected) => {
    expect(isLoopback(hostname)).toBe(expected);
  });
});

describe("the wait after a failed mail", () => {
  it("doubles from a minute to half an hour", () => {
    const minutes = [1, 2, 3, 4, 5, 6, 50].map((attempts) => waitAfter(attempts) / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });
});
