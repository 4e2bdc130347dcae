import { createServer as createHttp2Server, createSecureServer } from "node:http2";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import type { AttemptErrorCode } from "../../../services/domain/webhook/rules/delivery.ts";
import { makeCertificates } from "../../support/net/test-certificates.ts";
import { attemptOnce } from "../../support/webhooks/attempt-once.ts";
import { listenWith } from "../../support/webhooks/raw-receiver.ts";
import {
  codeOf,
  DEADLINE_MS,
  head,
  openSockets,
  prepareAttempts,
  secureUrlOf,
  SLACK_MS,
  urlOf,
} from "../../support/webhooks/receiver-attempts.ts";

const MIB = 1_048_576;
const LONG_HEAD = `HTTP/1.1 200 OK\r\nA: ${"a".repeat(1_000)}`;

const before = openSockets();
const certificates = makeCertificates("localhost");
const { agentOf, keep, receiverOf, answering, attemptAlone, end } = prepareAttempts(certificates);

afterEach(end);

/** Writes without end, as fast as the other side reads. */
function pour(socket: Socket, chunk: Buffer, onWritten: (bytes: number) => void): void {
  const more = (): void => {
    while (!socket.destroyed) {
      onWritten(chunk.length);
      if (!socket.write(chunk)) {
        socket.once("drain", more);
        return;
      }
    }
  };
  more();
}

/** Writes one byte in each period, repeating the text. */
function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length));
    at += 1;
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}

describe("a receiver that gives no answer", () => {
  it("and refuses the connection gets a specific error", async () => {
    const receiver = await answering("");
    receiver.stop();
    expect(await attemptAlone(receiver)).toMatchObject({
      attempt: 1,
      response_code: null,
      error: { code: "connection_refused", message: "The connection was refused." },
      response_body: null,
    });
  });

  it.each<[string, (socket: Socket) => void, AttemptErrorCode]>([
    ["resets", (socket) => socket.resetAndDestroy(), "connection_reset"],
    ["closes", (socket) => socket.end(), "connection_reset"],
    ["closes within the head", (socket) => socket.end("HTTP/1.1 200"), "connection_reset"],
    ["sends nothing", () => undefined, "timeout_response"],
    ["drips a head without end", (socket) => drip(socket, LONG_HEAD, 90), "timeout_response"],
    ["drips lines before a head", (socket) => drip(socket, "\r\n", 50), "timeout_response"],
    ["sends rubbish", (socket) => socket.write("NONSENSE\r\n\r\n"), "invalid_response"],
    ["sends a page alone", (socket) => socket.write("<html></html>"), "invalid_response"],
    [
      "has a head of 20 KB",
      (socket) => socket.write(head(200, `A: ${"a".repeat(20_000)}`)),
      "invalid_response",
    ],
    ["answers 000", (socket) => socket.write(head("000")), "invalid_response"],
    ["answers 100 alone", (socket) => socket.write(head(100)), "timeout_response"],
    [
      "speaks another protocol after a 101",
      (socket) => socket.write(`${head(101, "Connection: upgrade", "Upgrade: h2c")}PRI * HTTP/2.0`),
      "invalid_response",
    ],
    [
      "announces without end",
      (socket) => pour(socket, Buffer.from(head(103).repeat(50)), () => undefined),
      "invalid_response",
    ],
    [
      "announces by 100 without end",
      (socket) => pour(socket, Buffer.from(head(100).repeat(50)), () => undefined),
      "invalid_response",
    ],
    [
      "has two lengths",
      (socket) => socket.write(head(200, "Content-Length: 1x")),
      "invalid_response",
    ],
  ])("and %s gets a specific error", async (_what, answer, code) => {
    const options = code === "timeout_response" ? { deadlineMs: DEADLINE_MS } : {};
    const entry = await attemptAlone(await receiverOf(answer), options);
    expect(entry).toMatchObject({ response_code: null, response_body: null });
    expect(codeOf(entry)).toBe(code);
  });

  it("of HTTP/1.1, only of HTTP/2, gets a specific error", async () => {
    const plain = keep(await listenWith(createHttp2Server()));
    expect(codeOf(await attemptAlone(plain))).toBe("invalid_response");
    const secure = keep(await listenWith(createSecureServer(certificates.good)));
    expect(codeOf(await attemptAlone(secure, { url: secureUrlOf(secure) }))).toBe("tls_other");
  });

  it("within 15 s times out, whether it is silent or sends a byte a second", async () => {
    const silent = await receiverOf(() => undefined);
    const dripping = await receiverOf((socket) => drip(socket, head(200, "A: b"), 1_000));
    const entries = await Promise.all(
      [silent, dripping].map((receiver) => attemptOnce(agentOf(), urlOf(receiver))),
    );
    for (const entry of entries) {
      expect(entry.error).toEqual({
        code: "timeout_response",
        message: "No response within 15 seconds.",
      });
      expect(entry.duration_ms).toBeGreaterThan(14_900);
      expect(entry.duration_ms).toBeLessThan(16_000);
    }
    const isOver = () => silent.open + dripping.open === 0;
    await until(isOver, { timeoutMs: 10_000, what: "the connections' end" });
  });
});

describe("a receiver's answer", () => {
  it.each<[number, AttemptErrorCode | null]>([
    [200, null],
    [204, null],
    [301, "redirect"],
    [302, "redirect"],
    [304, "redirect"],
    [410, "http_error"],
    [500, "http_error"],
    [999, "http_error"],
  ])("of %i is recorded as such and keeps the connection", async (status, code) => {
    const trap = await answering(head(200, "Content-Length: 0"));
    const location = `Location: ${urlOf(trap)}`;
    const receiver = await answering(head(status, location, "Content-Length: 0"));
    const agent = agentOf();
    for (let n = 0; n < 6; n += 1) {
      const entry = await attemptOnce(agent, urlOf(receiver));
      expect([entry.response_code, codeOf(entry), entry.response_body]).toEqual([status, code, ""]);
    }
    // A connection is free one event loop turn after its answer, so the next request may need a second one.
    expect(receiver.accepted).toBeLessThanOrEqual(2);
    expect(trap.accepted).toBe(0);
  });

  it.each<[string, string]>([
    ["100", head(100)],
    ["100 and 103", head(100) + head(103, "Link: </a>")],
    ["101 with an upgrade", head(101, "Connection: upgrade", "Upgrade: h2c")],
  ])("is read after an unasked %s", async (_what, announced) => {
    const receiver = await answering(`${announced}${head(200, "Content-Length: 2")}ok`);
    const agent = agentOf();
    for (let n = 0; n < 3; n += 1) {
      const entry = await attemptOnce(agent, urlOf(receiver));
      expect([entry.response_code, codeOf(entry), entry.response_body]).toEqual([200, null, "ok"]);
    }
  });

  it("may have folded lines, wherever the pieces of it end", async () => {
    const lines = ["Content-Length:\r\n 2", "X-Report: a;\r\n\tb"];
    const text = `${head(200, ...lines)}ok`;
    for (const pieces of [[text], text.split(/(?<=\r)|(?<=\n)/)]) {
      const receiver = await receiverOf((socket) => {
        socket.setNoDelay(true);
        const writeNext = ([piece = "", ...rest]: readonly string[]): void => {
          socket.write(piece, () => {
            if (rest.length > 0) setImmediate(() => writeNext(rest));
          });
        };
        writeNext(pieces);
      });
      const entry = await attemptAlone(receiver, { deadlineMs: DEADLINE_MS });
      expect([entry.response_code, codeOf(entry), entry.response_body]).toEqual([200, null, "ok"]);
    }
  });

  it("is judged by its status, however its body continues", async () => {
    const chunked = "Transfer-Encoding: chunked";
    const answers: readonly [string, (socket: Socket) => void][] = [
      ["", (socket) => socket.write(head(200, "Content-Length: 100"))],
      ["ok", (socket) => socket.write(`${head(200)}ok`)],
      ["half", (socket) => socket.end(`${head(200, "Content-Length: 100")}half`)],
      ["ok", (socket) => socket.write(`${head(200, chunked)}2\r\nok\r\nzz\r\n`)],
      ["ok", (socket) => socket.write(`${head(200, chunked)}2\r\nok\r\nfffffffffffffffff\r\n`)],
      ["", (socket) => socket.write(`${head(204, "Content-Length: 5")}hello`)],
    ];
    for (const [body, answer] of answers) {
      const entry = await attemptAlone(await receiverOf(answer));
      expect([codeOf(entry), entry.response_body]).toEqual([null, body]);
    }
    const slow = await receiverOf((socket) => {
      socket.write(head(200, chunked));
      drip(socket, "1\r\na\r\n", 50);
    });
    const entry = await attemptOnce(agentOf(), urlOf(slow));
    expect(entry).toMatchObject({ response_code: 200, error: null });
    expect(entry.response_body).toMatch(/^a+$/);
    expect(entry.duration_ms).toBeLessThan(2_000 + SLACK_MS);
  });

  it("is not taken for the answer to the next request", async () => {
    const twice = head(200, "Content-Length: 0") + head(500, "Content-Length: 0");
    const receiver = await answering(twice);
    const agent = agentOf();
    for (let n = 0; n < 3; n += 1) {
      expect(await attemptOnce(agent, urlOf(receiver))).toMatchObject({
        response_code: 200,
      });
    }
  });

  it("is stored as at most 4 KiB of text, whatever its bytes", async () => {
    const bodyOf = async (body: Buffer): Promise<string> => {
      const receiver = await answering(
        Buffer.concat([Buffer.from(head(200, `Content-Length: ${body.length}`)), body]),
      );
      const entry = await attemptOnce(agentOf(), urlOf(receiver));
      return entry.response_body ?? "";
    };
    expect(await bodyOf(Buffer.from("a\0b"))).toBe("a\ufffdb");
    expect(await bodyOf(Buffer.from("ü".repeat(3_000)))).toBe("ü".repeat(2_048));
    expect(await bodyOf(Buffer.from(`a${"ü".repeat(3_000)}`))).toBe(`a${"ü".repeat(2_047)}`);
    const binary = await bodyOf(Buffer.alloc(20_000, 0xff));
    expect(Buffer.byteLength(binary)).toBeLessThanOrEqual(4_096);
    expect(binary).toMatch(/^\ufffd+$/);
  });
});

describe("a receiver that answers too much", () => {
  const bomb = gzipSync(Buffer.alloc(10 * MIB));
  const length = `Content-Length: ${100 * MIB}`;

  it.each<[string, string, Buffer]>([
    ["100 MiB", head(200, length), Buffer.alloc(65_536, "a")],
    ["a gzip bomb", head(200, "Content-Encoding: gzip", length), bomb],
    [
      "chunks without end",
      head(200, "Transfer-Encoding: chunked"),
      Buffer.from("1\r\na\r\n".repeat(5_000)),
    ],
  ])("such as %s is cut off, and memory stays flat", async (_what, start, chunk) => {
    let written = 0;
    const receiver = await receiverOf((socket) => {
      socket.write(start);
      pour(socket, chunk, (bytes) => (written += bytes));
    });
    const agent = agentOf();
    const before = process.memoryUsage().rss;
    const entries = await Promise.all(
      Array.from({ length: 10 }, () => attemptOnce(agent, urlOf(receiver))),
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
    for (const entry of entries) {
      expect(entry).toMatchObject({ response_code: 200, error: null });
      expect(Buffer.byteLength(entry.response_body ?? "")).toBeLessThanOrEqual(4_096);
    }
    await until(() => receiver.open === 0, { timeoutMs: 10_000, what: "the connections' end" });
    expect(receiver.accepted).toBe(10);
    expect(written).toBeLessThan(10 * 16 * MIB);
  });
});

it("leaves no socket open once the receivers are gone", async () => {
  await until(() => openSockets() <= before, { timeoutMs: 60_000, what: "the last socket's end" });
  expect(openSockets()).toBeLessThanOrEqual(before);
});
