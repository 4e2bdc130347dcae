import type { Clock } from "../../../platform/clock.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { isUuid, newId } from "../../../platform/ids.ts";
import type { DeadLetterNote } from "../../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../../platform/kafka/raw-message.ts";

/** Consumers of events may not write timelines themselves. */
const NOTE = "select orders.note_dead_letter($1, $2, $3, $4)";

/** The order whose id is a message's key. */
export function orderIdOf({ key }: Pick<RawMessage, "key">): string | null {
  return key?.toString("utf8").toLowerCase() ?? null;
}

type FindOrderId = (raw: RawMessage) => Promise<string | null> | string | null;

const KEEP = `update messaging.dead_letters set order_id = $1
  where topic = $2 and kafka_partition = $3 and kafka_offset = $4 and consumer = $5 and kafka_timestamp = $6`;

/** Keeps beside a consumer's dead letter which order it is about, where its key may be another. */
export function keepNamedOrder(consumer: string, findOrderId: FindOrderId): DeadLetterNote {
  return async (tx, raw) => {
    const orderId = await findOrderId(raw);
    if (orderId === null || !isUuid(orderId)) return;
    const { topic, partition, offset, timestamp } = raw;
    await queryRows(tx, {
      name: "dead-letter-order",
      text: KEEP,
      values: [orderId, topic, partition, offset, consumer, timestamp],
    });
  };
}

/**
 * Notes a dead-lettered message for the desk in the timeline of its order, if there is one; that is the key unless told
 * otherwise.
 */
export function noteInTimeline(clock: Clock, findOrderId: FindOrderId = orderIdOf): DeadLetterNote {
  return async (tx, raw, cause) => {
    const orderId = await findOrderId(raw);
    if (orderId === null || !isUuid(orderId)) return;
    const now = clock.now();
    const letter = { topic: raw.topic, code: cause.code, detail: cause.detail };
    await queryRows(tx, {
      name: "dead-letter-note",
      text: NOTE,
      values: [newId(now), orderId, now, JSON.stringify(letter)],
    });
  };
}
