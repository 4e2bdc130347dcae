import { createHmac } from "node:crypto";
import { digestOf } from "./signature-fault.ts";

/** What an event's webhooks have of it. */
export interface Sent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly payload: unknown;
}

/** The body of an event's webhooks, byte for byte. */
export function webhookBody({ id, type, created_at, payload }: Sent): string {
  return JSON.stringify({ id, type, created_at, payload });
}

export interface Signing {
  readonly eventId: string;
  readonly eventType: string;
  readonly secret: string;
  readonly atSeconds: number;
}

/** The headers of a webhook as the service sends it: for a receiver's own tests, and for `nps listen`. */
export function webhookHeaders(body: string, signing: Signing): Record<string, string> {
  const { eventId, eventType, secret, atSeconds } = signing;
  const t = String(atSeconds);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${eventId}.${t}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "Porting-Event-Id": eventId,
    "Porting-Event-Type": eventType,
    "Porting-Signature": `t=${t},v1=${digestOf(secret, t, body).toString("hex")}`,
    "webhook-id": eventId,
    "webhook-timestamp": t,
    "webhook-signature": `v1,${standard}`,
  };
}
