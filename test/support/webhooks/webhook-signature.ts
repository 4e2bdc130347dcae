import { createHmac } from "node:crypto";
import type { ReceivedWebhook } from "./webhook-receiver.ts";

/** The parts of a signature; `t` in Unix seconds. */
export function signatureOf({ headers }: ReceivedWebhook): { t: number; v1: string } {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["porting-signature"]));
  const [, t = "", v1 = ""] = match ?? [];
  return { t: Number(t), v1 };
}

/** Whether the secret signed exactly these bytes at the time in the signature. */
export function signatureHolds(secret: string, webhook: ReceivedWebhook): boolean {
  const { t, v1 } = signatureOf(webhook);
  return createHmac("sha256", secret).update(`${t}.`).update(webhook.body).digest("hex") === v1;
}
