import type { Bus } from "../../messages/bus.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import type { TopicHandler } from "../../messages/topic-consumer.ts";
import { claimCallSteps, findCallSteps } from "../../domain/carrier/call-event-store.ts";
import { findCallFault } from "../../domain/carrier/call-rules.ts";
import { eventMessage } from "../../domain/event/event-message.ts";
import type { NumberOwner } from "../../domain/number/number-owner-store.ts";
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
      const owned = await ownersOf(calls);
      const strays = calls.filter(({ message }) => !owned.has(message.phone_number));
      const told = await toldBefore(bus, strays);
      return calls.map(({ message }) => {
        const fault = findCallFault(message);
        if (fault !== null) return new AppError("rule_broken", `${fault.pointer}: ${fault.detail}`);
        if (owned.has(message.phone_number) || told.has(callStepOf(message))) return null;
        return unknownNumber();
      });
    },
    apply: async (calls, position) => {
      const steps = stepsOf(calls, await ownersOf(calls));
      const ids = newIds(bus.clock.now(), steps.size);
      const claimed = await claimCallSteps(
        bus.pool,
        [...steps].map(([call_step, { owner }], n) => ({
          call_step,
          event_id: ids[n] ?? "",
          owner,
        })),
      );
      const events = [...steps].map(([callStep, { call }]) => {
        const step = claimed.get(callStep);
        if (step === undefined) throw unknownNumber();
        return eventMessage(bus, callEvent(call, step, step.event_id));
      });
      await bus.producer.send(events);
      await recordPosition(bus.pool, consumer, position);
    },
  };
}

interface Step {
  readonly call: CallUpdate;
  readonly owner: NumberOwner | null;
}

/** What is read again after its number has left is still the same event. */
function toldBefore(
  bus: Bus,
  calls: readonly Received<CallUpdate>[],
): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return Promise.resolve(new Set());
  return findCallSteps(
    bus.pool,
    calls.map(({ message }) => callStepOf(message)),
  );
}

/** What is told, in its order; of a step that is said twice the first word counts. */
function stepsOf(
  calls: readonly Received<CallUpdate>[],
  owners: ReadonlyMap<string, NumberOwner>,
): Map<string, Step> {
  const steps = new Map<string, Step>();
  for (const { message: call } of calls) {
    const owner = owners.get(call.phone_number) ?? null;
    const callStep = callStepOf(call);
    if (!steps.has(callStep)) steps.set(callStep, { call, owner });
  }
  return steps;
}

function unknownNumber(): AppError {
  return new AppError("unknown_number", "No account has the number that was called.");
}
