import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import { retryTopic } from "../../messages/topics.ts";
import { newId } from "../../platform/ids.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";

/**
 * Sends one message per recorded retry on its step's delay topic. The due time is in Postgres, so the sweeper
 * replaces a lost timer; retries of a recovery are not urgent and are left to it entirely.
 */
export function createRetryTimers(bus: Bus, schedule: readonly RetryStep[]) {
  const underWay = new Set<Promise<void>>();
  const toMessage = ({ delivery, outcome }: AttemptResult): OutgoingMessage[] => {
    const isRecovery = delivery.priority === PRIORITIES.recovery;
    const step = outcome.status === "retrying" && !isRecovery ? schedule[outcome.step] : undefined;
    if (outcome.status !== "retrying" || step === undefined) return [];
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
        recorded.filter(({ status }) => status === "retrying").map(({ id }) => id),
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
