import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { readPositions } from "../../platform/inbox/inbox.ts";
import { fetchAllCommitted, type CommittedOffset } from "../../platform/kafka/group-positions.ts";
import { fetchTopicSpans } from "../../platform/kafka/topic-offsets.ts";
import type { Logger } from "../../platform/logger.ts";
import { readersOf } from "./consumers.ts";

const RETRY_MS = 1_000;
const UNKNOWN = "it is not known yet whether the database was restored";
/** How long a start waits for Kafka. */
const PATIENCE_MS = 3_000;

interface RestoreGuardOptions {
  readonly db: Queryable;
  readonly kafka: Kafka;
  readonly topicPrefix: string;
}

interface Behind extends CommittedOffset {
  readonly stored: number;
}

/**
 * Refuses a database without the effects of committed offsets. Effects are stored before their offsets are
 * committed, so it was restored from a backup (or is a different database) and was not reconciled.
 * @throws `invalid_state`; a retryable error if this cannot be determined now
 */
export async function requireReconciled(options: RestoreGuardOptions): Promise<void> {
  const { db, kafka, topicPrefix } = options;
  const readers = readersOf(topicPrefix);
  const groups = [...new Set(readers.map(({ consumer }) => topicPrefix + consumer))];
  // Reads Kafka first: the database can only have advanced by then.
  const committed = await fetchAllCommitted(kafka, groups);
  const stored = new Map(
    (await readPositions(db, topicPrefix)).map((one) => [
      `${topicPrefix}${one.consumer} ${one.topic}/${one.partition}`,
      one.next_offset,
    ]),
  );
  const behind = committed
    .filter(({ group, topic }) =>
      readers.some((one) => topicPrefix + one.consumer === group && one.topic === topic),
    )
    .map((one) => ({
      ...one,
      stored: stored.get(`${one.group} ${one.topic}/${one.partition}`) ?? 0,
    }))
    .filter((one) => one.stored < one.offset);
  const [first] = await onCurrentTopic(kafka, behind);
  if (first === undefined) return;
  throw new AppError(
    "invalid_state",
    `The database lacks effects of messages that ${first.group} has read: on ${first.topic}/${first.partition} it ` +
      `is at ${first.stored}, the group at ${first.offset}. It was restored from a backup, or is a different one: ` +
      "stop all services and run `npm run backup -- reconcile` first (docs/operations.md).",
  );
}

/**
 * A commit beyond a partition's end predates the recreation of its topic and is irrelevant to the
 * database.
 */
async function onCurrentTopic(kafka: Kafka, behind: readonly Behind[]): Promise<Behind[]> {
  if (behind.length === 0) return [];
  const spans = await fetchTopicSpans(kafka, [...new Set(behind.map(({ topic }) => topic))]);
  return behind.filter(({ topic, partition, offset }) =>
    spans.get(topic)?.some((span) => span.partition === partition && offset <= span.nextOffset),
  );
}

interface RestoreWatchOptions extends RestoreGuardOptions {
  readonly log: Logger;
  /** Stops waiting when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Like `requireReconciled`, but waits while Kafka or the database is unavailable.
 * @throws `invalid_state`; a retryable error where it is aborted before that is known
 */
export async function whenReconciled(options: RestoreWatchOptions): Promise<void> {
  const { log, signal } = options;
  // A stop does not wait for the client, which looks for its brokers for a minute.
  const aborted = once(signal, "abort").then(() => true);
  while (!signal.aborted) {
    try {
      const looked = requireReconciled(options).then(() => false);
      if (await Promise.race([looked, aborted])) break;
      return;
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error;
      log.warn({ err: error }, UNKNOWN);
    }
    await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
  throw new AppError("broker_unavailable", UNKNOWN, { retryable: true });
}

/** For services whose start must not wait for Kafka. */
interface RestoreGuard {
  /** Whether the database is known to lack no effects. */
  isPassed(): boolean;
}

/**
 * Waits for `whenReconciled` for 3 s at most. After that the start continues, and the process ends as
 * soon as the database turns out to lack effects. @throws `invalid_state`
 */
export async function guardRestored(reconciled: Promise<void>, log: Logger): Promise<RestoreGuard> {
  const state = { isPassed: false, isDetached: false };
  const watched = reconciled.then(
    () => {
      state.isPassed = true;
    },
    (error: unknown) => {
      // Stopped before it was known.
      if (error instanceof AppError && error.retryable) return;
      if (!state.isDetached) throw error;
      // The caller no longer waits, so the error ends the process like any uncaught one.
      queueMicrotask(() => {
        throw error;
      });
    },
  );
  await Promise.race([watched, pause(PATIENCE_MS, undefined, { ref: false })]);
  state.isDetached = true;
  if (!state.isPassed) log.warn(UNKNOWN);
  return { isPassed: () => state.isPassed };
}
