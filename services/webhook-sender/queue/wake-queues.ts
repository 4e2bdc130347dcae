import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { ApplyBatch } from "../../platform/kafka/handle-batch.ts";
import type { Priority } from "./endpoint-queue.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import type { SenderMetrics } from "../sender-metrics.ts";
import { clampWaits, waitingLines, type ClampCursor } from "../store/due-deliveries.ts";

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

/** Deliveries due for longer than this have lost their timer or wait for their window. */
const GRACE_MS = 500;

export interface SweepContext {
  readonly bus: Pick<Bus, "pool" | "clock" | "log">;
  readonly schedule: readonly RetryStep[];
  readonly scheduler: Pick<Scheduler, "wake" | "inFlight">;
  readonly metrics: SenderMetrics;
}

/**
 * Each sweep wakes the queues of overdue deliveries, after lost timers, expired leases and reinstated accounts, and
 * clamps waits to their backoff steps, page after page from the longest. Does neither while no delivery of an active account
 * waits.
 */
export function createSweep({ bus, schedule, scheduler, metrics }: SweepContext) {
  const delaysMs = schedule.map((step) => step.delayMs);
  let cursor: ClampCursor | null = null;
  return async (): Promise<void> => {
    const now = bus.clock.now();
    const dueBefore = new Date(now.getTime() - GRACE_MS);
    const { oldest, overdue } = await waitingLines(bus.pool, dueBefore, now);
    metrics.oldestDue(oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()) / 1_000);
    metrics.inFlight(scheduler.inFlight);
    if (oldest === null) return;
    scheduler.wake(overdue);
    const { clamped, last } = await clampWaits(bus.pool, delaysMs, cursor);
    cursor = last;
    if (clamped > 0) {
      const fields = { deliveries: clamped };
      bus.log.warn(fields, "waits beyond their backoff step were brought back to it");
    }
  };
}
