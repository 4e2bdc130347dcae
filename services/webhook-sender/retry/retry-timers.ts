import { isWaitingStatus } from "../../domain/webhook/rules/delivery.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import { retryTopic } from "../../messages/topics.ts";
import { newId } from "../../platform/ids.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { PRIORITIES } from "../queue/endpoint-queue.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";
import { startTopicConsumer } from "../../messages/bus/topic-consumer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { OnBatch, RunningConsumer } from "../../platform/kafka/consumer.ts";
import { BatchInterrupted, type BatchControl } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import { wakeQueues } from "../queue/wake-queues.ts";

/**
 * Sends one message per recorded retry on its step's delay topic. The due time is in Postgres, so the sweep
 * replaces a lost timer; retries of a recovery are not urgent and are left to it entirely.
 */
export function createRetryTimers(bus: Bus, schedule: readonly RetryStep[]) {
  const underWay = new Set<Promise<void>>();
  const toMessage = ({ delivery, outcome }: AttemptResult): OutgoingMessage[] => {
    const isRecovery = delivery.priority === PRIORITIES.recovery;
    if (outcome.trigger !== "attempt_failed" || isRecovery) return [];
    const step = schedule[outcome.step];
    if (step === undefined) return [];
    const timer = {
      delivery_id: delivery.id,
      attempt: delivery.attempt_count + 1,
      due_at: outcome.dueAt.getTime(),
    };
    const address = { key: delivery.endpoint_key, messageId: newId(bus.clock.now()) };
    return [outgoing(bus, retryTopic(step), { ...address, message: timer })];
  };
  const send = async (messages: readonly OutgoingMessage[]): Promise<void> => {
    try {
      await bus.producer.send(messages);
    } catch (error) {
      bus.log.warn({ err: error, timers: messages.length }, "retry timers were not set");
    }
  };
  return {
    set: (results: readonly AttemptResult[], recorded: readonly RecordedResult[]): void => {
      const retrying = new Set(
        recorded.filter(({ status }) => isWaitingStatus(status)).map(({ id }) => id),
      );
      if (retrying.size === 0) return;
      const due = results.filter(({ delivery }) => retrying.has(delivery.id));
      const sending = send(due.flatMap(toMessage)).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** Waits for messages being sent. */
    drain: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}

const PARTITIONS_AT_ONCE = 64;
const MAX_BATCH = 500;
/** Five tiers look in vain most of the time; after a rebalance, which takes as long, the sweep finds what is due. */
const MAX_WAIT_MS = 5_000;

/** The consumer of one delay topic: lets each retry timer wait until it is due, then wakes the queue of its endpoint. */
export function startDelayTier(
  bus: Bus,
  step: RetryStep,
  scheduler: Pick<Scheduler, "wake">,
): Promise<RunningConsumer> {
  const topic = retryTopic(step);
  const dueAt = async (raw: RawMessage): Promise<number | null> => {
    try {
      return (await bus.codec.decode(topic, raw.value)).due_at;
    } catch {
      return null; // the handler decodes it again, and dead-letters it with the reason
    }
  };
  return startTopicConsumer(bus, {
    consumer: `webhook-retry-${step.name}`,
    handlers: {
      [topic]: { apply: wakeQueues(scheduler, PRIORITIES.retry), maxBatch: MAX_BATCH },
    },
    concurrency: PARTITIONS_AT_ONCE,
    delay: {
      maxWaitMs: Math.min(MAX_WAIT_MS, bus.sessionTimeoutMs / 2),
      waitUntilDue: (handle) =>
        waitUntilDue({ clock: bus.clock, dueAt, delayMs: step.delayMs, handle }),
    },
  });
}

/** The longest wait before looking at the clock again. */
const STEP_MS = 30_000;

/**
 * Lets the head of a partition wait until it is due, at most for `delayMs`, whatever its records say. All records of a delay topic
 * have the same delay, so none waits for another; an unreadable one, whose `dueAt` is null, is passed on at once.
 */
export function waitUntilDue({
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
