import type { Bus } from "../../messages/bus.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import { outgoing } from "../../messages/outgoing.ts";
import type { TopicHandler } from "../../messages/topic-consumer.ts";
import { claimCallSteps } from "../../domain/carrier/call-event-store.ts";
import { findCallFault } from "../../domain/carrier/call-rules.ts";
import { readOwners } from "../../domain/number/number-owner-store.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { recordPosition } from "../../platform/inbox/inbox.ts";
import type { Received } from "../../platform/kafka/handle-batch.ts";
import { callEvent, callStepOf } from "./call-event.ts";
import { OwnerCache } from "./owner-cache.ts";

const BATCH = 500;
const OWNER_FRESH_MS = 1_000;
const OWNERS_KEPT = 50_000;

/**
 * Tells calls as events, straight from topic to topic: the ids are claimed first, so that what is published again after
 * a crash is the same event, and the offset is committed last.
 */
export function onCalls(bus: Bus, consumer: string): TopicHandler<"carriers.calls"> {
  const owners = new OwnerCache({
    read: (phoneNumbers) => readOwners(bus.pool, phoneNumbers),
    freshMs: OWNER_FRESH_MS,
    limit: OWNERS_KEPT,
    nowMs: () => bus.clock.now().getTime(),
  });
  const ownersOf = (calls: readonly Received<CallUpdate>[]) =>
    owners.ownersOf(calls.map(({ message }) => message.phone_number));
  return {
    maxBatch: BATCH,
    vet: async (calls) => {
      const known = await ownersOf(calls);
      return calls.map(({ message }) => {
        const fault = findCallFault(message);
        if (fault !== null) return new AppError("rule_broken", `${fault.pointer}: ${fault.detail}`);
        if (known.has(message.phone_number)) return null;
        return new AppError("unknown_number", "No account has the number that was called.");
      });
    },
    apply: async (calls, position) => {
      const known = await ownersOf(calls);
      const ids = newIds(bus.clock.now(), calls.length);
      const steps = calls.map(({ message, raw }, n) => ({
        call_step: callStepOf(message),
        event_id: ids[n] ?? "",
        kafka_partition: raw.partition,
        kafka_offset: raw.offset,
      }));
      const claimed = await claimCallSteps(bus.pool, steps);
      const events = calls.flatMap(({ message, raw }, n) => {
        const step = claimed.get(steps[n]?.call_step ?? "");
        if (step?.kafka_offset !== raw.offset || step.kafka_partition !== raw.partition) return [];
        const owner = known.get(message.phone_number);
        if (owner === undefined) {
          throw new AppError("unknown_number", "No account has the number that was called.");
        }
        const event = callEvent(message, owner, step.event_id);
        const address = { key: message.phone_number, messageId: event.id };
        return [outgoing(bus, "porting.events", event, address)];
      });
      if (events.length > 0) await bus.producer.send(events);
      await recordPosition(bus.pool, consumer, position);
    },
  };
}
