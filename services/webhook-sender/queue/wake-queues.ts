import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import type { Priority } from "./endpoint-queue.ts";
import type { Scheduler } from "./scheduler.ts";

/**
 * Wakes the queues of the endpoints whose keys messages have: for what the API has made, and for retries that are due.
 * Which deliveries these are, Postgres knows.
 */
export function wakeQueues(
  scheduler: Pick<Scheduler, "wake">,
  priority: Priority,
): ApplyBatch<unknown> {
  return (messages) => {
    for (const { raw } of messages) {
      const endpoint_key = raw.key?.toString() ?? "";
      if (!isUuid(endpoint_key)) {
        throw new AppError("rule_broken", "The key of the message is not a UUID.");
      }
      scheduler.wake([{ endpoint_key, priority }]);
    }
    return Promise.resolve();
  };
}
