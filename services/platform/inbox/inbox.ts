import type { Parameter } from "../db/recordset.ts";
import { queryRows, type Queryable } from "../db/transaction.ts";

/** Where a consumer stands in a partition: everything below `nextOffset` has had its effect. */
export interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

const CLAIM = `insert into messaging.inbox (consumer, message_id) values ($1, $2)
  on conflict do nothing returning message_id`;

/** False where this consumer has handled the message before. Belongs into the transaction of the effect. */
export async function claimMessage(
  tx: Queryable,
  consumer: string,
  messageId: string,
): Promise<boolean> {
  const rows = await queryRows(tx, {
    name: "inbox-claim",
    text: CLAIM,
    values: [consumer, messageId],
  });
  return rows.length === 1;
}

/** A consumer's position, the value of the parameter of `positionUpsert`. */
export function positionValue(consumer: string, position: Position): string {
  return JSON.stringify({ consumer, ...position });
}

/** The upsert of the position in a parameter, as a part of a larger statement. */
export function positionUpsert(parameter: Parameter): string {
  const position = `${parameter}::jsonb`;
  return `insert into messaging.consumer_positions as p (consumer, topic, kafka_partition, next_offset)
    values (${position}->>'consumer', ${position}->>'topic', (${position}->>'partition')::integer,
      (${position}->>'nextOffset')::bigint)
    on conflict (consumer, topic, kafka_partition) do update
      set next_offset = excluded.next_offset, updated_at = now()
      where p.next_offset < excluded.next_offset`;
}

const RECORD = positionUpsert("$1");

/** Records how far the consumer has come, in the transaction of the effect; never moves backwards. */
export async function recordPosition(
  tx: Queryable,
  consumer: string,
  position: Position,
): Promise<void> {
  await queryRows(tx, {
    name: "position-record",
    text: RECORD,
    values: [positionValue(consumer, position)],
  });
}

/** Where the database says that a consumer stands in a partition. */
export interface StoredPosition {
  readonly consumer: string;
  /** Its full name. */
  readonly topic: string;
  readonly partition: number;
  readonly next_offset: number;
}

const READ = `select consumer, topic, kafka_partition as partition, next_offset
  from messaging.consumer_positions where starts_with(topic, $1)
  order by consumer, topic, kafka_partition`;

/** Every position on the topics with the prefix. */
export async function readPositions(db: Queryable, topicPrefix: string): Promise<StoredPosition[]> {
  return queryRows<StoredPosition>(db, { text: READ, values: [topicPrefix] });
}
