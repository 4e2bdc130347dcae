import { createHash } from "node:crypto";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import type { ReceivedDelivery } from "./history.ts";

export interface FaultReceiver {
  /** Where webhooks are to be sent. */
  url: string;
  /** Every webhook received since the last `forget`, including repeats. */
  readonly received: readonly ReceivedDelivery[];
  /** Whether a path has received anything. */
  has(path: string): boolean;
  /** Begins a new run. */
  forget(): void;
  stop(): Promise<void>;
}

/** Keeps only the hash of each body, because the bodies of a long run would fill the memory. */
export async function startFaultReceiver(): Promise<FaultReceiver> {
  const received: ReceivedDelivery[] = [];
  const paths = new Set<string>();
  const keep = ({ headers, path, body }: ReceivedWebhook): number => {
    const hash = createHash("sha256").update(body).digest("hex");
    received.push({ eventId: String(headers["porting-event-id"]), path, hash });
    paths.add(path);
    return 200;
  };
  const receiver: WebhookReceiver = await startWebhookReceiver(keep, { keeps: false });
  return {
    url: receiver.url,
    received,
    has: (path) => paths.has(path),
    forget: () => {
      received.length = 0;
      paths.clear();
    },
    stop: () => receiver.stop(),
  };
}
