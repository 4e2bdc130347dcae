import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { startRawReceiver, type Listening } from "../../support/webhooks/raw-receiver.ts";
import { spawnSender } from "../../support/webhooks/sender-process.ts";
import { makeCertificates } from "../../support/net/test-certificates.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const EVENTS = 20;
const WINDOW = 8;
const MIB = 1_048_576;
const CHUNK = Buffer.alloc(65_536, "a");
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** Writes without end, as fast as the other side reads. */
function pour(socket: Socket): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * MIB}\r\n\r\n`);
  const more = (): void => {
    while (socket.write(CHUNK) && !socket.destroyed);
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write("H"), 1_000);
  socket.on("close", () => clearInterval(timer));
}

/** Each kind of receiver and the log entry of its first attempt: a status or an error code. */
const MISBEHAVING: Readonly<Record<string, readonly [(socket: Socket) => void, number | string]>> =
  {
    resets: [(socket) => socket.resetAndDestroy(), "connection_reset"],
    hangs: [() => undefined, "timeout_response"],
    drips: [drip, "invalid_response"],
    pours: [pour, 200],
    rubbish: [(socket) => void socket.write("NONSENSE\r\n\r\n"), "invalid_response"],
    redirects: [
      (socket) =>
        void socket.write(
          "HTTP/1.1 302 X\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
        ),
      "redirect",
    ],
    "answers 304": [(socket) => void socket.write("HTTP/1.1 304 X\r\n\r\n"), "redirect"],
    "answers 204": [(socket) => void socket.write("HTTP/1.1 204 X\r\n\r\n"), 204],
    "answers 500": [
      (socket) => void socket.write("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"),
      "http_error",
    ],
  };

let stack: WebhookStack;
let sender: ChildProcess;
let healthy: WebhookReceiver;
const receivers = new Map<string, Listening>();

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h" });
  sender = spawnSender(stack);
  healthy = await startWebhookReceiver();
  for (const [kind, [answer]] of Object.entries(MISBEHAVING)) {
    receivers.set(kind, await startRawReceiver(answer));
  }
  const { selfSigned } = makeCertificates("127.0.0.1");
  receivers.set("bad certificate", await startRawReceiver((one) => void one.write(OK), selfSigned));
});

/** Memory in use by a process on Linux. */
function residentBytes({ pid }: ChildProcess): number {
  const [, kib = "0"] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, "utf8")) ?? [];
  return Number(kib) * 1_024;
}

const firstOf = ({ attempt_log: [entry] }: Delivery): number | string | undefined =>
  entry?.error?.code ?? entry?.response_code ?? undefined;

const whenTried = (account: string, count: number): Promise<Delivery[]> =>
  eventually(async () => {
    const found = await stack.deliveries(account);
    expect(found.filter((one) => one.attempt_log.length > 0)).toHaveLength(count);
    return found;
  });

describe("misbehaving receivers of one account", () => {
  it("are each logged correctly within 16 s, and do not delay the others", async () => {
    const [account, other] = [await stack.newAccount(), await stack.newAccount()];
    await stack.newEndpoint(other, healthy.url);
    await stack.publish([freshEvent(other)]);
    await whenTried(other, 1);
    const before = residentBytes(sender);
    const kinds = new Map<string, string>();
    for (const [kind, { port }] of receivers) {
      const scheme = kind === "bad certificate" ? "https" : "http";
      const { id } = await stack.newEndpoint(account, `${scheme}://127.0.0.1:${port}/`);
      kinds.set(id, kind);
    }
    await stack.publish(Array.from({ length: EVENTS }, () => freshEvent(account)));
    const hanging = receivers.get("hangs");
    await eventually(() => expect(hanging?.open).toBe(WINDOW));

    const asked = performance.now();
    await stack.publish(Array.from({ length: EVENTS }, () => freshEvent(other)));
    await whenTried(other, EVENTS + 1);
    expect(performance.now() - asked).toBeLessThan(5_000);
    expect(hanging?.open).toBe(WINDOW);

    // Requests of a hanging receiver: its first window and the probe after it.
    const quick = receivers.size - 1;
    const isOver = (found: readonly Delivery[]): boolean =>
      found.some((one) => firstOf(one) === "timeout_response");
    const deliveries = await eventually(async () => {
      const found = await stack.deliveries(account);
      const tried = found.filter((one) => one.attempt_log.length > 0);
      expect(tried.length).toBeGreaterThanOrEqual(quick * EVENTS);
      expect(isOver(tried)).toBe(true);
      return tried;
    });
    for (const delivery of deliveries) {
      const kind = kinds.get(delivery.webhook_endpoint_id ?? "") ?? "";
      const expected = kind === "bad certificate" ? "tls_error" : MISBEHAVING[kind]?.[1];
      expect([kind, firstOf(delivery)]).toEqual([kind, expected]);
      expect(delivery.attempt_log[0]?.duration_ms).toBeLessThan(16_000);
      expect(JSON.stringify(delivery.attempt_log)).not.toMatch(/127\.0\.0\.1|10\.0\.0\.1/);
    }
    expect(residentBytes(sender) - before).toBeLessThan(100 * MIB);
    expect(hanging?.accepted).toBeLessThanOrEqual(2 * WINDOW);
  });
});
