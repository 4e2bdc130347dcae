import type { Bus } from "../../messages/bus/bus.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import type { SenderMetrics } from "../sender-metrics.ts";
import { clampWaits, type ClampCursor } from "../store/clamp-waits.ts";
import { oldestDue, overdueLines } from "../store/due-deliveries.ts";
import type { Scheduler } from "./scheduler.ts";

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
 * clamps waits to their backoff steps, page after page from the longest. While no delivery of an active account waits,
 * it does neither.
 */
export function createSweep(context: SweepContext): () => Promise<void> {
  const delaysMs = context.schedule.map((step) => step.delayMs);
  let cursor: ClampCursor | null = null;
  return async () => {
    const now = context.bus.clock.now();
    const due = await oldestDue(context.bus.pool);
    showWaiting(context, due === null ? 0 : now.getTime() - due.getTime());
    if (due === null) return;
    await wakeOverdue(context, now);
    const { clamped, last } = await clampWaits(context.bus.pool, delaysMs, cursor);
    cursor = last;
    if (clamped > 0) {
      const fields = { deliveries: clamped };
      context.bus.log.warn(fields, "waits beyond their backoff step were brought back to it");
    }
  };
}

function showWaiting({ scheduler, metrics }: SweepContext, oldestMs: number): void {
  metrics.oldestDue(Math.max(0, oldestMs) / 1_000);
  metrics.inFlight(scheduler.inFlight);
}

async function wakeOverdue({ bus, scheduler }: SweepContext, now: Date): Promise<void> {
  const dueBefore = new Date(now.getTime() - GRACE_MS);
  scheduler.wake(await overdueLines(bus.pool, dueBefore, now));
}
