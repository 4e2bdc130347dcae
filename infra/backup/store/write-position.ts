import { queryRows, type Queryable } from "../../../services/platform/db/transaction.ts";
import type { StoredPosition } from "../../../services/platform/inbox/inbox.ts";

const WRITE = `insert into messaging.consumer_positions (consumer, topic, kafka_partition, next_offset)
  values ($1, $2, $3, $4)
  on conflict (consumer, topic, kafka_partition) do update
    set next_offset = excluded.next_offset, updated_at = now()`;

/** Sets a position, also backwards. */
export async function writePosition(db: Queryable, position: StoredPosition): Promise<void> {
  const { consumer, topic, partition, next_offset } = position;
  await queryRows(db, { text: WRITE, values: [consumer, topic, partition, next_offset] });
}
