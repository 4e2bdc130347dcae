import { makeLogPartitions } from "../domain/event/store/store-events.ts";
import { describeByKey } from "../domain/order/store/timeline.ts";
import { openConsumingBus } from "../messages/bus/bus.ts";
import { startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import type { Logger } from "../platform/logger.ts";
import { startPeriodic } from "../platform/periodic.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import type { EventLogConfig } from "./config.ts";
import { onEvents } from "./handlers/on-events.ts";

const SERVICE = "event-log";
const HOUR_MS = 3_600_000;
const MAX_BATCH = 500;

export interface EventLogOptions {
  readonly config: EventLogConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startEventLog(options: EventLogOptions): Promise<RunningService> {
  const { log } = options;
  const { bus, waitsFor, close } = await openConsumingBus({ ...options, service: SERVICE });
  const partitions = startPeriodic({
    name: "partitions",
    everyMs: HOUR_MS,
    run: () => makeLogPartitions(bus.pool, bus.clock.now()),
    log,
  });
  const consumer = await startTopicConsumer(bus, {
    consumer: SERVICE,
    describe: describeByKey(bus.clock),
    handlers: { "porting.events": { apply: onEvents(bus, SERVICE), maxBatch: MAX_BATCH } },
  });
  waitsFor([consumer]);
  return {
    stop: async () => {
      await consumer.stop();
      await partitions.stop();
      await close();
    },
  };
}
