import type { Bus } from "../../messages/bus/bus.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { TopicHandler } from "../../messages/bus/topic-consumer.ts";
import { claimCallSteps, findCallSteps } from "./store/call-steps.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import { unknownProvider } from "../../domain/carrier/rules/unknown-provider.ts";
import { findCallFault } from "../../domain/carrier/rules/find-call-fault.ts";
import { eventMessage } from "../../domain/event/rules/event-message.ts";
import { isE164 } from "../../domain/number/rules/classify-number.ts";
import { readOwnerTerms } from "../../domain/number/store/number-owners.ts";
import { FORMER_OWNER_MS, ownerAt, type NumberOwner } from "../../domain/number/rules/owner-at.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { recordPosition } from "../../platform/inbox/inbox.ts";
import type { Received } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { callEvent, callStepOf } from "./call-event.ts";
import { OwnerCache } from "./owner-cache.ts";

const BATCH = 500;
const OWNER_FRESH_MS = 1_000;
const OWNERS_KEPT = 50_000;

/**
 * Publishes calls as events, straight from topic to topic: the ids are claimed first, so that an event that is published
 * again after a crash keeps its id, and the offset is committed last.
 */
export function onCalls(
  bus: Bus,
  consumer: string,
  providers: Pick<Providers, "has">,
): TopicHandler<"carriers.calls"> {
  const nowMs = (): number => bus.clock.now().getTime();
  const cache = new OwnerCache({
    read: (numbers) => readOwnerTerms(bus.pool, numbers, new Date(nowMs() - FORMER_OWNER_MS)),
    freshMs: OWNER_FRESH_MS,
    limit: OWNERS_KEPT,
    nowMs,
  });
  return {
    maxBatch: BATCH,
    vet: async (calls) => {
      const owned = await withOwners(cache, calls);
      const published = await publishedBefore(bus, owned);
      return owned.map(({ call, owner }) => {
        const fault = findCallFault(call, bus.clock.now());
        if (fault !== null) return new AppError("rule_broken", `${fault.pointer}: ${fault.detail}`);
        if (!providers.has(call.provider)) {
          return unknownProvider(call.provider);
        }
        if (owner !== null || published.has(callStepOf(call))) return null;
        return unknownNumber();
      });
    },
    apply: async (calls, position) => {
      const steps = stepsOf(await withOwners(cache, calls));
      const ids = newIds(bus.clock.now(), steps.size);
      const claimed = await claimCallSteps(
        bus.pool,
        [...steps].map(([call_step, { owner }], n) => ({
          call_step,
          event_id: ids[n] ?? "",
          owner,
        })),
      );
      const { codec, topicPrefix } = bus;
      const events = [...steps].map(([callStep, { call, raw }]) => {
        const step = claimed.get(callStep);
        if (step === undefined) throw unknownNumber();
        const context = following({ codec, topicPrefix }, raw);
        return eventMessage(context, callEvent(call, step, step.event_id));
      });
      await bus.producer.send(events);
      await recordPosition(bus.pool, consumer, position);
    },
  };
}

interface OwnedCall {
  readonly call: CallUpdate;
  readonly raw: RawMessage;
  readonly owner: NumberOwner | null;
}

/** The calls in their order, each with the account that had the number when it took place. */
async function withOwners(
  cache: OwnerCache,
  calls: readonly Received<CallUpdate>[],
): Promise<OwnedCall[]> {
  // Text that is not a number may hold characters that Postgres rejects: it has no owner and is dead-lettered.
  const numbers = calls.map(({ message }) => message.phone_number).filter(isE164);
  const terms = await cache.termsOf(numbers);
  return calls.map(({ message: call, raw }) => {
    const owner = ownerAt(terms.get(call.phone_number) ?? [], call.occurred_at);
    return { call, raw, owner };
  });
}

/** The steps whose event exists although their number has no owner any more: a repeated call is the same event. */
function publishedBefore(bus: Bus, calls: readonly OwnedCall[]): Promise<ReadonlySet<string>> {
  const ownerless = calls.filter(({ owner }) => owner === null);
  if (ownerless.length === 0) return Promise.resolve(new Set());
  return findCallSteps(
    bus.pool,
    ownerless.map(({ call }) => callStepOf(call)),
  );
}

/** The steps to publish, in their order; of a repeated step the first call is taken. */
function stepsOf(calls: readonly OwnedCall[]): Map<string, OwnedCall> {
  const steps = new Map<string, OwnedCall>();
  for (const one of calls) {
    const callStep = callStepOf(one.call);
    if (!steps.has(callStep)) steps.set(callStep, one);
  }
  return steps;
}

function unknownNumber(): AppError {
  return new AppError("unknown_number", "No account has the number that was called.");
}
