import type { Bus } from "../../messages/bus/bus.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import { PRIORITIES } from "../queue/endpoint-queue.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import { runningRecoveries, settleRecoveries, stepRecovery } from "../store/step-recoveries.ts";

const EVERY_MS = 100;
/** While there is nothing to do. */
const IDLE_MS = 1_000;
/** The most steps of one recovery per round, through a stretch of the feed with nothing to send. */
const MOST_STEPS = 20;

/**
 * Advances recoveries, one page of each at a time and only while few of its deliveries are due. Progress
 * is stored in Postgres, so any process continues where another was killed.
 */
export function startRecoveries(
  { pool, clock, log }: Bus,
  scheduler: Pick<Scheduler, "wake">,
): Periodic {
  let isIdle = false;
  return startPeriodic({
    name: "recoveries",
    everyMs: () => (isIdle ? IDLE_MS : EVERY_MS),
    run: async () => {
      const running = await runningRecoveries(pool);
      isIdle = running.length === 0;
      if (isIdle) return;
      for (const { id, endpoint_id: endpoint_key } of running) {
        let queued: number | null = 0;
        for (let step = 0; queued === 0 && step < MOST_STEPS; step += 1) {
          queued = await stepRecovery(pool, id, clock.now());
        }
        if (queued !== null && queued > 0)
          scheduler.wake([{ endpoint_key, priority: PRIORITIES.recovery }]);
      }
      await settleRecoveries(pool, clock.now());
    },
    log,
  });
}
