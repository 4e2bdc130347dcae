import type { Bus } from "../../messages/bus/bus.ts";
import type { SenderMetrics } from "../sender-metrics.ts";
import { oldestDue, overdueLines } from "../store/due-deliveries.ts";
import type { Scheduler } from "./scheduler.ts";

/** Deliveries due for longer than this have lost their timer or wait for their window. */
const GRACE_MS = 500;

export interface SweepContext {
  readonly bus: Pick<Bus, "pool" | "clock">;
  readonly scheduler: Pick<Scheduler, "wake" | "inFlight">;
  readonly metrics: SenderMetrics;
}

/** Wakes the queues of overdue deliveries: after lost timers, expired leases and reinstated accounts. */
export async function sweep({ bus, scheduler, metrics }: SweepContext): Promise<void> {
  const now = bus.clock.now();
  const dueBefore = new Date(now.getTime() - GRACE_MS);
  scheduler.wake(await overdueLines(bus.pool, dueBefore, now));
  const due = await oldestDue(bus.pool);
  metrics.oldestDue(due === null ? 0 : Math.max(0, now.getTime() - due.getTime()) / 1_000);
  metrics.inFlight(scheduler.inFlight);
}
