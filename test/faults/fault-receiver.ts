import { createHash } from "node:crypto";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../support/webhooks/webhook-receiver.ts";
import type { ReceivedDelivery } from "./history.ts";

export interface FaultReceiver {
  readonly url: string;
  /** Every webhook received, including repeats. */
  readonly received: ReceivedDelivery[];
  stop(): Promise<void>;
}

/** Keeps only the hash of each body, because the bodies of a long run would fill the memory. */
export async function startFaultReceiver(): Promise<FaultReceiver> {
  const received: ReceivedDelivery[] = [];
  const keep = ({ headers, path, body }: ReceivedWebhook): number => {
    const hash = createHash("sha256").update(body).digest("hex");
    received.push({ eventId: String(headers["porting-event-id"]), path, hash });
    return 200;
  };
  const receiver: WebhookReceiver = await startWebhookReceiver(keep);
  return { url: receiver.url, received, stop: () => receiver.stop() };
}
