import { randomUUID } from "node:crypto";
import type { Admin } from "kafkajs";
import type { Stream } from "../../../services/messages/bus/stream.ts";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import type { CarrierReceipt } from "../../../services/messages/generated/carrier-receipt.ts";
import type { CarrierRequest } from "../../../services/messages/generated/carrier-request.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import type { MessageOf, StaticTopicName } from "../../../services/messages/topics.ts";
import { startConsumer, type OnBatch } from "../../../services/platform/kafka/consumer.ts";
import { eachMessage } from "../../../services/platform/kafka/each-message.ts";
import {
  commitPositions,
  fetchCommitted,
} from "../../../services/platform/kafka/group-positions.ts";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";
import { fetchTopicEnds } from "../../../services/platform/kafka/topic-offsets.ts";
import { notDone, waitFor } from "./shortfalls.ts";

const PATIENCE_MS = 30_000;

export interface Reading {
  /** A new group, used by this reader alone. */
  readonly group: string;
  /** By full topic name. */
  readonly handlers: ReadonlyMap<string, OnBatch>;
}

export interface EndReader {
  /** Resolves once everything that is now on the topics has been handled. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads topics from their present ends; resolves when it has joined. */
async function readFromEnds(
  { kafka, sessionTimeoutMs, log }: Stream,
  { group, handlers }: Reading,
): Promise<EndReader> {
  const topics = [...handlers.keys()];
  const ends = await fetchTopicEnds(kafka, topics);
  const next = new Map(ends.map((end) => [`${end.topic}/${end.partition}`, end.nextOffset]));
  for (const topic of topics) {
    const own = ends.filter((end) => end.topic === topic);
    const offsets = new Map(own.map(({ partition, nextOffset }) => [partition, nextOffset]));
    if (offsets.size > 0) await commitPositions(kafka, { group, topic, offsets });
  }
  const counted =
    (handle: OnBatch): OnBatch =>
    async (batch, control) => {
      await handle(batch, control);
      const last = batch.at(-1);
      if (last !== undefined) next.set(`${last.topic}/${last.partition}`, last.offset + 1);
    };
  const consumer = await startConsumer({
    kafka,
    group,
    handlers: new Map([...handlers].map(([topic, handle]) => [topic, counted(handle)])),
    sessionTimeoutMs,
    concurrency: 3,
    maxWaitMs: 100,
    log,
  });
  const patience = {
    timeoutMs: PATIENCE_MS,
    what: () => notDone("Kafka to let the certification read the topics", "it does not"),
  };
  await waitFor(() => (consumer.isJoined() ? true : undefined), patience);
  return {
    catchUp: async () => {
      const now = await fetchTopicEnds(kafka, topics);
      const isBehind = ({ topic, partition, nextOffset }: (typeof now)[number]): boolean =>
        (next.get(`${topic}/${partition}`) ?? 0) < nextOffset;
      await waitFor(() => (now.some(isBehind) ? undefined : true), patience);
    },
    stop: () => consumer.stop(),
  };
}

export interface SeenRequest {
  readonly request: CarrierRequest;
  readonly raw: RawMessage;
}

/** What passes between the platform and one provider, from now on. */
export interface BusWatch {
  readonly requests: readonly SeenRequest[];
  readonly updates: readonly CarrierUpdate[];
  readonly receipts: readonly CarrierReceipt[];
  readonly groups: ProviderGroups;
  /** Resolves once everything that is now on the topics has been seen. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads requests, updates and receipts of the provider from the topics' present ends. */
export async function watchBus(stream: Stream, provider: string): Promise<BusWatch> {
  const { kafka, topicPrefix } = stream;
  const requests: SeenRequest[] = [];
  const updates: CarrierUpdate[] = [];
  const receipts: CarrierReceipt[] = [];
  const admin = kafka.admin();
  await admin.connect();
  const group = `${topicPrefix}certify-${randomUUID()}`;
  const handlers = new Map([
    of(stream, "carriers.requests", (request, raw) => {
      if (request.provider === provider) requests.push({ request, raw });
    }),
    of(stream, "carriers.updates", (update) => {
      if (update.provider === provider) updates.push(update);
    }),
    of(stream, "carriers.receipts", (receipt) => {
      if (receipt.provider === provider) receipts.push(receipt);
    }),
  ]);
  const reader = await readFromEnds(stream, { group, handlers });
  return {
    requests,
    updates,
    receipts,
    groups: groupsNamed(admin, topicPrefix + providerGroup(provider)),
    catchUp: () => reader.catchUp(),
    stop: async () => {
      await reader.stop();
      await forget(admin, group);
      await admin.disconnect();
    },
  };
}

/** The handler of a topic, under its full name. */
function of<T extends StaticTopicName>(
  { codec, topicPrefix, log }: Stream,
  topic: T,
  handle: (message: MessageOf<T>, raw: RawMessage) => void,
): [string, OnBatch] {
  const decode = (raw: RawMessage) => codec.decode(topic, raw.value);
  return [topicPrefix + topic, eachMessage({ decode, handle, log })];
}

/** A group that stays is of no harm: Kafka forgets it, and its name is used once. */
async function forget(admin: Admin, group: string): Promise<void> {
  await admin.deleteGroups([group]).catch(() => undefined);
}

/** The consumer groups of a provider's integration. */
interface ProviderGroups {
  /** Whether one of them has committed the message. */
  hasCommitted(message: RawMessage): Promise<boolean>;
  /** Whether one of them has a member. */
  hasMember(): Promise<boolean>;
}

/** All groups whose names begin so. */
function groupsNamed(admin: Admin, beginning: string): ProviderGroups {
  const groups = async (): Promise<string[]> => {
    const all = (await admin.listGroups()).groups;
    return all.map(({ groupId }) => groupId).filter((name) => name.startsWith(beginning));
  };
  return {
    hasCommitted: async ({ topic, partition, offset }) => {
      const names = await groups();
      const committed = await Promise.all(names.map((name) => fetchCommitted(admin, name, topic)));
      return committed.some((offsets) => (offsets.get(partition) ?? 0) > offset);
    },
    hasMember: async () => {
      const names = await groups();
      if (names.length === 0) return false;
      const { groups: described } = await admin.describeGroups(names);
      return described.some(({ members }) => members.length > 0);
    },
  };
}
