import type { Admin, Kafka } from "kafkajs";
import type { Pool } from "pg";
import { makeLogPartitions } from "../../services/domain/event/store/log-partitions.ts";
import { storeEvents } from "../../services/domain/event/store/store-events.ts";
import {
  toStorable,
  type StorableEvent,
} from "../../services/domain/event/rules/storable-event.ts";
import { claimMessages, claimOrphans, noteOrphans, type FoundMessage } from "./store/orphans.ts";
import { raiseSequences } from "./store/raise-sequences.ts";
import { FAN_OUT_CONSUMER } from "../../services/domain/webhook/store/recoverable-deliveries.ts";
import type { Codec } from "../../services/messages/codec.ts";
import { inTransaction } from "../../services/platform/db/transaction.ts";
import { AppError } from "../../services/platform/errors.ts";
import { fetchCommitted } from "../../services/platform/kafka/group-positions.ts";
import type { RawMessage } from "../../services/platform/kafka/raw-message.ts";
import { readTopic } from "../../services/platform/kafka/read-topic.ts";

const EVENT_LOG = "event-log";

export interface TopicReading {
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
export async function reconcileEvents(reading: TopicReading, from: FirstOffsets): Promise<number> {
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
export async function reconcileInnerTopic(
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
