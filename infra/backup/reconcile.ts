import type { Kafka } from "kafkajs";
import { countOrphans, type OrphanCount } from "./store/orphans.ts";
import { writePosition } from "./store/write-position.ts";
import { CALLS, CONSUMERS, readersOf, type Reader } from "../../services/messages/bus/consumers.ts";
import { readPositions, type StoredPosition } from "../../services/platform/inbox/inbox.ts";
import {
  commitPositions,
  fetchCommitted,
  requireEmptyGroups,
} from "../../services/platform/kafka/group-positions.ts";
import { fetchTopicOffsets } from "../../services/platform/kafka/topic-offsets.ts";
import { reconcileEvents, reconcileInnerTopic, type TopicReading } from "./reconcile-topics.ts";

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

export interface Reconciled {
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
export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
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
