import { watchCarriers } from "../domain/carrier/read-carriers.ts";
import { dueKinds } from "../domain/deadline/deadline.ts";
import { openConsumingBus } from "../messages/bus/bus.ts";
import { onceTogether } from "../messages/bus/once-together.ts";
import { startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { portOutDecisionMs, waitSpans, type OrderLifecycleConfig } from "./config.ts";
import { startDeadlineRunner } from "./deadlines/deadline-runner.ts";
import { orderDeadlines, duePortOuts, portOutDeadlines } from "./deadlines/deadline-kinds.ts";
import { isAnyDue } from "./deadlines/store/take-due-deadlines.ts";
import { onCarrierResult } from "./handlers/on-carrier-result.ts";
import { onReviewResult } from "./handlers/on-review-result.ts";
import { describeLetter } from "./receipts/result-receipts.ts";

const CONSUMER = "order-lifecycle";

export interface OrderLifecycleOptions {
  readonly config: OrderLifecycleConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startOrderLifecycle(options: OrderLifecycleOptions): Promise<RunningService> {
  const { config, log } = options;
  const spans = waitSpans(config);
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const { bus, waitsFor, close } = await openConsumingBus({ ...options, service: CONSUMER });
  const consumer = await startTopicConsumer(bus, {
    consumer: CONSUMER,
    describe: describeLetter(bus),
    handlers: {
      "porting.review-results": onceTogether(bus, CONSUMER, onReviewResult(bus)),
      "porting.carrier-results": onceTogether(
        bus,
        CONSUMER,
        onCarrierResult(bus, {
          portOutDecisionMs: portOutDecisionMs(config),
          confirmMs: spans.date_confirmation,
        }),
      ),
    },
  });
  const deadlines = startDeadlineRunner(bus, {
    pollMs: config.DEADLINE_POLL,
    isAnyDue: (now) => isAnyDue(bus.pool, [...dueKinds(now, spans), ...duePortOuts(now)]),
    takers: [orderDeadlines(spans, carriers.providers), portOutDeadlines],
  });
  waitsFor([consumer]);
  return {
    stop: async () => {
      await deadlines.stop();
      await consumer.stop();
      await carriers.stop();
      await close();
    },
  };
}
