import { pauseFailingEndpoints } from "./store/pause-failing-endpoints.ts";
import type { Bus } from "../messages/bus/bus.ts";
import { startPeriodic, type Periodic } from "../platform/periodic.ts";
import type { WebhookSenderConfig } from "./config.ts";

const EVERY_MS = 15_000;

/** Pauses endpoints that have failed for a long time, unless auto-pause is switched off. */
export function startAutoPause(bus: Bus, config: WebhookSenderConfig): Periodic {
  const { pool, clock, log, metrics } = bus;
  const paused = metrics.counter({
    name: "webhook_endpoints_paused_total",
    help: "Endpoints that were paused because they have failed for a long time",
  });
  const rule = {
    afterMs: config.WEBHOOK_PAUSE_AFTER,
    failedDeliveries: config.WEBHOOK_PAUSE_FAILED,
    spanMs: config.WEBHOOK_PAUSE_SPAN,
  };
  if (rule.afterMs === 0) return { stop: () => Promise.resolve() };
  return startPeriodic({
    name: "auto-pause",
    everyMs: EVERY_MS,
    run: async () => {
      for (const { id, account_id } of await pauseFailingEndpoints(pool, rule, clock.now())) {
        paused.inc();
        log.warn({ webhook_endpoint_id: id, account_id }, "a failing webhook endpoint was paused");
      }
    },
    log,
  });
}
