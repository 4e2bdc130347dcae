import { createHash } from "node:crypto";
import { findCallFault, unknownProvider } from "../../domain/carrier/rules/carrier-faults.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import { eventMessage, newEvent, type EventEnvelope } from "../../domain/event/rules/new-event.ts";
import { isE164 } from "../../domain/number/rules/classify-number.ts";
import {
  FORMER_OWNER_MS,
  ownerAt,
  type NumberOwner,
  type OwnerTerm,
} from "../../domain/number/rules/owner-at.ts";
import { readOwnerTerms } from "../../domain/number/store/numbers.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { TopicHandler } from "../../messages/bus/topic-consumer.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds, timeOfId } from "../../platform/ids.ts";
import { recordPosition } from "../../platform/inbox/inbox.ts";
import type { Received } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { claimCallSteps, findCallSteps } from "./store/call-steps.ts";

type Terms = readonly OwnerTerm[];

export interface OwnerCacheOptions {
  readonly read: (phoneNumbers: readonly string[]) => Promise<ReadonlyMap<string, Terms>>;
  /** How long an owner is cached: for that long a call may go to an account that has lost its number. */
  readonly freshMs: number;
  /** The maximum of cached numbers. */
  readonly limit: number;
  readonly nowMs: () => number;
}

interface Entry {
  readonly terms: Terms;
  readonly untilMs: number;
}

/** Present and former owners of numbers; one query per batch reads the unknown ones. Unowned numbers are not cached. */
export class OwnerCache {
  readonly #options: OwnerCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: OwnerCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  async termsOf(phoneNumbers: Iterable<string>): Promise<ReadonlyMap<string, Terms>> {
    const { read, freshMs, nowMs } = this.#options;
    const now = nowMs();
    const known = new Map<string, Terms>();
    const unknown: string[] = [];
    for (const number of new Set(phoneNumbers)) {
      const entry = this.#entries.get(number);
      if (entry !== undefined && entry.untilMs > now) known.set(number, entry.terms);
      else unknown.push(number);
    }
    if (unknown.length === 0) return known;
    const found = await read(unknown);
    for (const number of unknown) {
      this.#entries.delete(number);
      const terms = found.get(number);
      if (terms === undefined) continue;
      known.set(number, terms);
      if (!terms.some(({ until }) => until === null)) continue;
      this.#entries.set(number, { terms, untilMs: now + freshMs });
    }
    this.#shrink();
    return known;
  }

  /** Removes those that were read longest ago. */
  #shrink(): void {
    for (const number of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.limit) return;
      this.#entries.delete(number);
    }
  }
}

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

/** Identifies a step of a call, which has one event: its kind and, if forwarded, the stage. A hash in UUID form. */
function callStepOf({ provider, call_id, kind, stage }: CallUpdate): string {
  const step = kind === "forwarded" ? stage : null;
  const text = JSON.stringify([provider, call_id, kind, step]);
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The event of an update without a `findCallFault`; its time is that of its id. */
function callEvent(update: CallUpdate, owner: NumberOwner, eventId: string): PortingEvent {
  const { call_id, phone_number, from, to, occurred_at } = update;
  const call = { call_id, phone_number, from, to, occurred_at };
  const envelope: EventEnvelope = {
    id: eventId,
    account_id: owner.account_id,
    order_id: owner.porting_order_id,
    sequence_key: phone_number,
    order_sequence: null,
    created_at: timeOfId(eventId),
    context: { provider: update.provider, occurred_at: new Date(occurred_at), actor: "carrier" },
  };
  switch (update.kind) {
    case "forwarded": {
      const { forwarded_by, stage } = update;
      const payload = { ...call, forwarded_by: forwarded_by ?? "", stage: stage ?? "" };
      return newEvent("call.forwarded", payload, envelope);
    }
    case "completed": {
      const { duration_seconds, ended_by } = update;
      const payload = {
        ...call,
        duration_seconds: duration_seconds ?? 0,
        ended_by: ended_by ?? "",
      };
      return newEvent("call.completed", payload, envelope);
    }
    case "missed":
      return newEvent("call.missed", { ...call, reason: update.reason ?? "" }, envelope);
    case "unrecognized":
      throw new AppError("rule_broken", "This version does not know the kind.");
  }
}
