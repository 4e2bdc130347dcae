import type { WebhookDelivery } from "../../client/generated/api-types.ts";
import type { Printer } from "../output/printer.ts";
import { pollUntil } from "../poll-until.ts";
import type { Session } from "../session.ts";

/** An attempt takes 15 s at most; the rest is its way there. */
const PATIENCE_MS = 30_000;
const WAITING: ReadonlySet<string> = new Set(["pending", "retrying"]);

/** The delivery once its next attempt is over: it succeeded, failed, or waits for a retry. */
export async function waitForDelivery(
  { client, host }: Session,
  out: Printer,
  started: WebhookDelivery,
): Promise<WebhookDelivery> {
  out.progress.show(`Waiting for ${started.url} to answer …`);
  const ended = await pollUntil(
    async () => {
      const now = await client.getWebhookDelivery(started.id);
      // An attempt is counted when it starts, and logged when it is over.
      const isTried = now.attempt_log.length > started.attempt_log.length;
      return isTried || !WAITING.has(now.status) ? now : null;
    },
    { timeoutMs: PATIENCE_MS, what: "the receiver's answer", signal: host.signal },
  );
  out.progress.clear();
  return ended;
}
