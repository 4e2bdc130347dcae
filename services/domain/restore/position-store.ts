import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

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

const WRITE = `insert into messaging.consumer_positions (consumer, topic, kafka_partition, next_offset)
  values ($1, $2, $3, $4)
  on conflict (consumer, topic, kafka_partition) do update
    set next_offset = excluded.next_offset, updated_at = now()`;

/** Sets a position, also backwards. */
export async function writePosition(db: Queryable, position: StoredPosition): Promise<void> {
  const { consumer, topic, partition, next_offset } = position;
  await queryRows(db, { text: WRITE, values: [consumer, topic, partition, next_offset] });
}
