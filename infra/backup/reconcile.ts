import type { Admin, Kafka } from "kafkajs";
import type { Pool } from "pg";
import {
  toStorable,
  type StorableEvent,
} from "../../services/domain/event/rules/storable-event.ts";
import { makeLogPartitions, storeEvents } from "../../services/domain/event/store/store-events.ts";
import { FAN_OUT_CONSUMER } from "../../services/domain/webhook/store/delivery-targets.ts";
import { CALLS, CONSUMERS, readersOf, type Reader } from "../../services/messages/bus/consumers.ts";
import { requireReconciled } from "../../services/messages/bus/restore-guard.ts";
import { createCodec, type Codec } from "../../services/messages/codec.ts";
import { systemClock } from "../../services/platform/clock.ts";
import type { BusAccess } from "../../services/platform/command-line.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { inTransaction } from "../../services/platform/db/transaction.ts";
import { AppError } from "../../services/platform/errors.ts";
import { readPositions, type StoredPosition } from "../../services/platform/inbox/inbox.ts";
import {
  commitPositions,
  fetchCommitted,
  requireEmptyGroups,
} from "../../services/platform/kafka/group-positions.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import type { RawMessage } from "../../services/platform/kafka/raw-message.ts";
import { readTopic, fetchTopicOffsets } from "../../services/platform/kafka/topic-offsets.ts";
import { createLogger } from "../../services/platform/logger.ts";
import {
  claimMessages,
  claimOrphans,
  countOrphans,
  noteOrphans,
  raiseSequences,
  writePosition,
  type FoundMessage,
  type OrphanCount,
} from "./store/reconcile-rows.ts";

const EVENT_LOG = "event-log";

interface TopicReading {
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly codec: Codec;
  readonly topicPrefix: string;
}

/** By partition, the offset from which on the restored database may lack effects. */
export type FirstOffsets = ReadonlyMap<number, number>;

/**
 * Stores every event of porting.events in the log, because readers may have it already. Events that the lost
 * installation's webhook-sender had handled are marked as handled here, so that no webhook is sent again.
 */
async function reconcileEvents(reading: TopicReading, from: FirstOffsets): Promise<number> {
  const { pool, kafka, admin, codec, topicPrefix } = reading;
  const topic = `${topicPrefix}porting.events`;
  const sender = await fetchCommitted(admin, topicPrefix + FAN_OUT_CONSUMER, topic);
  let withheld = 0;
  await readTopic({
    kafka,
    topic,
    from,
    onBatch: async (batch) => {
      const found: { raw: RawMessage; event: StorableEvent }[] = [];
      for (const raw of batch) {
        const event = await decodeEvent(codec, raw);
        if (event !== null) found.push({ raw, event });
      }
      if (found.length === 0) return;
      const wasSent = (raw: RawMessage): boolean => raw.offset < (sender.get(raw.partition) ?? 0);
      const events = found.map(({ event }) => event);
      const sent = found.filter(({ raw }) => wasSent(raw)).map(({ event }) => event.id);
      await makeMonths(pool, events);
      withheld += await inTransaction(pool, async (tx) => {
        await noteOrphans(
          tx,
          topic,
          found.map(({ raw, event }) => foundEvent(raw, event, wasSent(raw))),
        );
        // event-log itself dead-letters what cannot be decoded, so its position is not moved.
        const position = { topic, partition: found[0]?.raw.partition ?? 0, nextOffset: 0 };
        await storeEvents(tx, events, { consumer: EVENT_LOG, positions: [position] });
        await raiseSequences(tx, events);
        return claimMessages(tx, FAN_OUT_CONSUMER, sent);
      });
    },
  });
  return withheld;
}

/** Null for a message that event-log dead-letters. */
async function decodeEvent(codec: Codec, raw: RawMessage): Promise<StorableEvent | null> {
  try {
    return toStorable(await codec.decode("porting.events", raw.value));
  } catch (error) {
    if (error instanceof AppError && !error.retryable) return null;
    throw error;
  }
}

function foundEvent(raw: RawMessage, event: StorableEvent, wasSent: boolean): FoundMessage {
  return {
    messageId: event.id,
    partition: raw.partition,
    offset: raw.offset,
    accountId: event.accountId,
    orderId: event.orderId,
    type: event.type,
    wasSent,
  };
}

async function makeMonths(pool: Pool, events: readonly StorableEvent[]): Promise<void> {
  const months = new Map(
    events.map(({ createdAt }) => [createdAt.toISOString().slice(0, "2026-01".length), createdAt]),
  );
  for (const within of months.values()) await makeLogPartitions(pool, within, within);
}

export interface InnerTopic {
  /** With its prefix. */
  readonly topic: string;
  readonly consumers: readonly string[];
}

/** Marks internal messages whose cause was lost as handled: when the cause comes again, it sends new ones. */
async function reconcileInnerTopic(
  { pool, kafka }: TopicReading,
  { topic, consumers }: InnerTopic,
  from: FirstOffsets,
): Promise<void> {
  await readTopic({
    kafka,
    topic,
    from,
    onBatch: async (batch) => {
      const messages = batch.map(({ messageId, partition, offset }) => ({
        messageId,
        partition,
        offset,
        accountId: null,
        orderId: null,
        type: null,
        wasSent: false,
      }));
      const messageIds = batch.map(({ messageId }) => messageId);
      await inTransaction(pool, async (tx) => {
        await noteOrphans(tx, topic, messages);
        for (const consumer of consumers) await claimOrphans(tx, consumer, { topic, messageIds });
      });
    },
  });
}

/** The broker keeps a killed member until its session ends. */
const GROUPS_TIMEOUT_MS = 90_000;
const EVENTS = "porting.events";

export type ReconcileOptions = Omit<TopicReading, "admin">;

/** A group's move on a partition. */
export interface MovedPosition {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Null: it had committed nothing. */
  readonly from: number | null;
  readonly to: number;
}

interface Reconciled {
  /** By topic, all orphans noted by this run and earlier ones. */
  readonly orphans: readonly OrphanCount[];
  /** The number of events without a webhook here, because the lost installation's webhook-sender had handled them. */
  readonly withheld: number;
  readonly moved: readonly MovedPosition[];
  /** Partitions that end before the restored position: their topic was created again. */
  readonly behind: readonly StoredPosition[];
}

/**
 * Reconciles Kafka's positions and a restored database, with the services stopped. It may be killed and run again:
 * the database is written first, and the groups' offsets, from which its changes are derived, move last.
 */
async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const { pool, kafka, topicPrefix } = options;
  const admin = kafka.admin();
  await admin.connect();
  try {
    const readers = readersOf(topicPrefix);
    const groups = new Set(readers.map(({ consumer }) => topicPrefix + consumer));
    await requireEmptyGroups(admin, [...groups], GROUPS_TIMEOUT_MS);
    const reading = { ...options, admin };
    const behind = await lowerPositions(reading);
    await raiseCalls(reading);
    const withheld = await reconcileTopics(reading);
    const moved: MovedPosition[] = [];
    for (const reader of readers) moved.push(...(await moveGroup(reading, reader)));
    return { orphans: await countOrphans(pool, topicPrefix), withheld, moved, behind };
  } finally {
    await admin.disconnect();
  }
}

async function fetchEnds(kafka: Kafka, topic: string): Promise<Map<number, Span>> {
  const ends = await fetchTopicOffsets(kafka, topic);
  return new Map(
    ends.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]),
  );
}

interface Span {
  readonly low: number;
  readonly high: number;
}

async function lowerPositions({ pool, kafka, topicPrefix }: TopicReading) {
  const positions = await readPositions(pool, topicPrefix);
  const endsOf = new Map<string, ReadonlyMap<number, Span>>();
  for (const topic of new Set(positions.map((one) => one.topic))) {
    endsOf.set(topic, await fetchEnds(kafka, topic));
  }
  const behind: StoredPosition[] = [];
  for (const position of positions) {
    const end = endsOf.get(position.topic)?.get(position.partition);
    if (end === undefined || position.next_offset <= end.high) continue;
    await writePosition(pool, { ...position, next_offset: end.low });
    behind.push(position);
  }
  return behind;
}

async function raiseCalls({ pool, admin, topicPrefix }: TopicReading): Promise<void> {
  const topic = topicPrefix + CALLS.topic;
  const committed = await fetchCommitted(admin, topicPrefix + CALLS.consumer, topic);
  const stored = await offsetsOf({ pool, topicPrefix }, { consumer: CALLS.consumer, topic });
  for (const [partition, next_offset] of committed) {
    if (next_offset <= (stored.get(partition) ?? 0)) continue;
    await writePosition(pool, { consumer: CALLS.consumer, topic, partition, next_offset });
  }
}

async function offsetsOf(
  { pool, topicPrefix }: Pick<TopicReading, "pool" | "topicPrefix">,
  { consumer, topic }: Reader,
): Promise<Map<number, number>> {
  const positions = await readPositions(pool, topicPrefix);
  return new Map(
    positions
      .filter((one) => one.consumer === consumer && one.topic === topic)
      .map(({ partition, next_offset }) => [partition, next_offset]),
  );
}

/** Leaves out the carriers' status updates: they are read again, and so have the effect that was lost. */
async function reconcileTopics(reading: TopicReading): Promise<number> {
  let withheld = 0;
  for (const [name, inside] of Object.entries(CONSUMERS)) {
    if (!name.startsWith("porting.")) continue;
    const topic = reading.topicPrefix + name;
    const consumers = inside.map(({ consumer }) => consumer);
    const from = await lowestOffsets(reading, topic, consumers);
    if (name === EVENTS) withheld = await reconcileEvents(reading, from);
    else await reconcileInnerTopic(reading, { topic, consumers }, from);
  }
  return withheld;
}

async function lowestOffsets(
  reading: TopicReading,
  topic: string,
  consumers: readonly string[],
): Promise<Map<number, number>> {
  const ends = await fetchEnds(reading.kafka, topic);
  const offsets = await Promise.all(
    consumers.map((consumer) => offsetsOf(reading, { consumer, topic })),
  );
  return new Map(
    [...ends.keys()].map((partition) => [
      partition,
      Math.min(...offsets.map((one) => one.get(partition) ?? 0)),
    ]),
  );
}

async function moveGroup(reading: TopicReading, reader: Reader): Promise<MovedPosition[]> {
  const { admin, kafka, topicPrefix } = reading;
  const { consumer, topic } = reader;
  const group = topicPrefix + consumer;
  const stored = await offsetsOf(reading, reader);
  const committed = await fetchCommitted(admin, group, topic);
  const ends = await fetchEnds(kafka, topic);
  const moved = [...ends].flatMap(([partition, { low }]): MovedPosition[] => {
    const to = Math.max(low, stored.get(partition) ?? 0);
    const from = committed.get(partition) ?? null;
    return (from ?? low) === to ? [] : [{ group, topic, partition, from, to }];
  });
  if (moved.length > 0) {
    const offsets = new Map(moved.map(({ partition, to }) => [partition, to]));
    await commitPositions(kafka, { group, topic, offsets });
  }
  return moved;
}

const NAME = "backup";
const STATEMENT_TIMEOUT_MS = 600_000;

export interface ReconciledPlace {
  readonly databaseUrl: string;
  readonly bus: BusAccess;
}

/** `reconcile` with connections of its own. The database must be migrated, the services stopped. */
export async function reconcileDatabase(
  { databaseUrl, bus }: ReconciledPlace,
  topicPrefix: string,
): Promise<Reconciled> {
  const log = createLogger(NAME, "error");
  const codec = await createCodec({
    registry: bus.registry,
    topicPrefix,
    signal: new AbortController().signal,
    log,
    clock: systemClock,
  });
  const kafka = createKafka({ ...bus, clientId: NAME, log });
  const pool = createPool({
    url: databaseUrl,
    service: NAME,
    size: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    log,
  });
  try {
    return await reconcile({ pool, kafka, codec, topicPrefix });
  } finally {
    await pool.end();
  }
}

/**
 * The check that every service makes at startup, made before any of them starts.
 * @throws `invalid_state` where the database lacks effects and must be reconciled
 */
export async function requireReconciledAt(
  { databaseUrl, bus }: ReconciledPlace,
  topicPrefix: string,
): Promise<void> {
  const log = createLogger(NAME, "error");
  const kafka = createKafka({ ...bus, clientId: NAME, log });
  const pool = createPool({ url: databaseUrl, service: NAME, size: 1, log });
  try {
    await requireReconciled({ db: pool, kafka, topicPrefix });
  } catch (error) {
    // The broker does not answer yet: the services check again.
    if (!(error instanceof AppError) || !error.retryable) throw error;
  } finally {
    await pool.end();
  }
}

const SHOWN = 20;

/** The report for the operator, line by line; lines that need action come first. */
export function linesOf({ orphans, withheld, moved, behind }: Reconciled): string[] {
  return [
    ...orphans.flatMap(({ topic, messages, sent, first_id, accounts, absent_orders }) => [
      `ALARM ${topic}: ${messages} messages whose cause the database has lost, the first ${first_id}`,
      ...(accounts.length === 0
        ? []
        : [
            `  accounts (${accounts.length}): ${some(accounts)}; ${sent} events went to webhooks before`,
          ]),
      ...(absent_orders.length === 0
        ? []
        : [
            `  orders that the database has lost (${absent_orders.length}): ${some(absent_orders)}`,
          ]),
    ]),
    ...behind.map(
      ({ consumer, topic, partition, next_offset }) =>
        `ALARM ${topic}/${partition} ends before ${next_offset}, the position of ${consumer}: it is read from its beginning`,
    ),
    ...moved.map(
      ({ group, topic, partition, from, to }) =>
        `${group} on ${topic}/${partition}: ${from ?? "nothing"} -> ${to}`,
    ),
    `${withheld} events are not sent to webhooks again`,
    "Done: the services may be started.",
  ];
}

function some(ids: readonly string[]): string {
  const more = ids.length - SHOWN;
  return ids.slice(0, SHOWN).join(", ") + (more > 0 ? `, and ${more} more` : "");
}
