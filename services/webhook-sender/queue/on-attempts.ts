import type { WebhookAttempts } from "../../messages/generated/webhook-attempts.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import { PRIORITIES } from "./priority.ts";
import type { Scheduler } from "./scheduler.ts";

/** Wakes the queues of what the API has made: tests, and what is sent again. Which deliveries these are is read from Postgres. */
export function onAttempts(scheduler: Pick<Scheduler, "wake">): ApplyBatch<WebhookAttempts> {
  return (messages) => {
    for (const { message } of messages) {
      const { endpoint_key } = message;
      if (!isUuid(endpoint_key)) {
        throw new AppError("rule_broken", "The message contains an id that is not a UUID.");
      }
      scheduler.wake([{ endpoint_key, priority: PRIORITIES.first }]);
    }
    return Promise.resolve();
  };
}
