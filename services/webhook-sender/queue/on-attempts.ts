import type { WebhookAttempts } from "../../messages/generated/webhook-attempts.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { PRIORITIES } from "./priority.ts";
import type { Scheduler } from "./scheduler.ts";
import type { OwnQueues } from "./own-queues.ts";

/**
 * Offers deliveries to the scheduler. Nothing is recorded here: claims in the database prevent
 * duplicates.
 */
export function onAttempts(
  scheduler: Pick<Scheduler, "offer">,
  ownQueues: OwnQueues,
): ApplyBatch<WebhookAttempts> {
  return (messages) => {
    for (const { message, raw } of messages) {
      const { endpoint_key: key, delivery_ids: ids } = message;
      if (!isUuid(key) || !ids.every(isUuid)) {
        throw new AppError("rule_broken", "The message contains an id that is not a UUID.");
      }
      ownQueues.learn(key);
      if (ownQueues.isKnown(raw.messageId)) continue;
      scheduler.offer({ endpoint_key: key, priority: PRIORITIES.first }, ids);
    }
    return Promise.resolve();
  };
}
