import type { WebhookAttempts } from "../../messages/generated/webhook-attempts.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { PRIORITIES } from "./priority.ts";
import type { Scheduler } from "./scheduler.ts";

/**
 * Offers what the API has made, tests and what is sent again, to the scheduler. Nothing is recorded here: claims in the
 * database prevent duplicates.
 */
export function onAttempts(scheduler: Pick<Scheduler, "offer">): ApplyBatch<WebhookAttempts> {
  return (messages) => {
    for (const { message } of messages) {
      const { endpoint_key: key, delivery_ids: ids } = message;
      if (!isUuid(key) || !ids.every(isUuid)) {
        throw new AppError("rule_broken", "The message contains an id that is not a UUID.");
      }
      scheduler.offer({ endpoint_key: key, priority: PRIORITIES.first }, ids);
    }
    return Promise.resolve();
  };
}
