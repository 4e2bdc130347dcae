import type { Bus } from "../../messages/bus/bus.ts";
import type { WebhookRetry } from "../../messages/generated/webhook-retry.ts";
import { guardBatches } from "../../messages/bus/topic-consumer.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import { retryTopic } from "../../messages/topics.ts";
import type { Clock } from "../../platform/clock.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import {
  startConsumer,
  type OnBatch,
  type RunningConsumer,
} from "../../platform/kafka/consumer.ts";
import {
  BatchHandler,
  BatchInterrupted,
  type ApplyBatch,
  type BatchControl,
} from "../../platform/kafka/handle-batch.ts";
import { traceBatches } from "../../platform/kafka/trace-batches.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { Scheduler } from "../queue/scheduler.ts";

const PARTITIONS_AT_ONCE = 64;
const MAX_BATCH = 500;
/** Five tiers look in vain most of the time; after a rebalance, which takes as long, the sweep finds what is due. */
const MAX_WAIT_MS = 5_000;

/** The consumer of one delay topic: holds each retry timer until it is due, then wakes the queue of its endpoint. */
export async function startDelayTier(
  bus: Bus,
  step: RetryStep,
  scheduler: Pick<Scheduler, "wake">,
): Promise<RunningConsumer> {
  const topic = retryTopic(step);
  const consumer = `webhook-retry-${step.name}`;
  const batches = new BatchHandler<WebhookRetry>({
    decode: (raw) => bus.codec.decode(topic, raw.value),
    apply: onRetryTimers(scheduler),
    maxBatch: MAX_BATCH,
    deadLetters: { pool: bus.pool, clock: bus.clock, consumer, seal: bus.seal },
    clock: bus.clock,
    log: bus.log,
    trace: bus.tracing === null ? undefined : traceBatches(bus.tracing, bus.topicPrefix + consumer),
  });
  const dueAt = async (raw: RawMessage): Promise<number | null> => {
    try {
      return (await bus.codec.decode(topic, raw.value)).due_at;
    } catch {
      return null; // the handler decodes it again, and dead-letters it with the reason
    }
  };
  const guard = guardBatches(bus, consumer, batches);
  return startConsumer({
    kafka: bus.kafka,
    group: bus.topicPrefix + consumer,
    handlers: new Map([
      [
        bus.topicPrefix + topic,
        holdUntilDue({ clock: bus.clock, dueAt, delayMs: step.delayMs, handle: guard.onBatch }),
      ],
    ]),
    sessionTimeoutMs: bus.sessionTimeoutMs,
    concurrency: PARTITIONS_AT_ONCE,
    maxWaitMs: Math.min(MAX_WAIT_MS, bus.sessionTimeoutMs / 2),
    heldAfterMs: Infinity,
    onJoin: () => guard.forget(),
    log: bus.log,
  });
}

function onRetryTimers(scheduler: Pick<Scheduler, "wake">): ApplyBatch<WebhookRetry> {
  return (messages) => {
    for (const { raw } of messages) {
      const endpoint_key = raw.key?.toString() ?? "";
      if (!isUuid(endpoint_key)) {
        throw new AppError("rule_broken", "The timer's key is not a UUID.");
      }
      scheduler.wake([{ endpoint_key, priority: PRIORITIES.retry }]);
    }
    return Promise.resolve();
  };
}

/** The longest wait before looking at the clock again. */
const STEP_MS = 30_000;

/**
 * Holds the head of a partition until it is due, at most for `delayMs`, whatever its records say. All records of a delay topic
 * have the same delay, so none waits for another; an unreadable one, whose `dueAt` is null, is passed on at once.
 */
export function holdUntilDue({
  clock,
  dueAt,
  delayMs,
  handle,
}: {
  readonly clock: Clock;
  readonly dueAt: (raw: RawMessage) => Promise<number | null>;
  readonly delayMs: number;
  readonly handle: OnBatch;
}): OnBatch {
  return async (batch, control) => {
    const latest = clock.now().getTime() + delayMs;
    let due: RawMessage[] = [];
    for (const raw of batch) {
      const at = Math.min((await dueAt(raw)) ?? 0, latest);
      if (at > clock.now().getTime()) {
        if (due.length > 0) await handle(due, control);
        due = [];
        await waitUntil(at, clock, control);
      }
      due.push(raw);
    }
    if (due.length > 0) await handle(due, control);
  };
}

async function waitUntil(at: number, clock: Clock, control: BatchControl): Promise<void> {
  for (;;) {
    const left = at - clock.now().getTime();
    if (left <= 0) return;
    if (!(await control.wait(Math.min(left, STEP_MS)))) throw new BatchInterrupted();
  }
}
