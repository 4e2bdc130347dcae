import type { Queryable } from "../platform/db/transaction.ts";
import { queryRows } from "../platform/db/transaction.ts";
import type { Expectations } from "./reconcile-step.ts";

/** How far a partition had come, by what the database knows of it. */
export interface KnownEnd {
  /** Its full name. */
  readonly topic: string;
  readonly partition: number;
  /** The partition has held every offset below it. */
  readonly end: number;
}

const KNOWN_ENDS = `select topic, kafka_partition as partition, max(known_end) as end
  from (
    select topic, kafka_partition, next_offset as known_end from messaging.consumer_positions
    union all
    select topic, kafka_partition, kafka_offset + 1 from messaging.outbox
    where id >= (select low_id from messaging.reconciliation) and kafka_offset is not null
  ) k
  where starts_with(topic, $1) group by topic, kafka_partition`;

/** The greatest ends that consumers' positions and sent rows above the watermark speak of. */
export async function readKnownEnds(db: Queryable, topicPrefix: string): Promise<KnownEnd[]> {
  return queryRows<KnownEnd>(db, {
    name: "known-ends",
    text: KNOWN_ENDS,
    values: [topicPrefix],
  });
}

/**
 * Old offsets mean nothing on the new topic: positions go back to its begin, rows without their effect become unsent
 * and the others lose their place, by which the topic would look remade for ever. One statement, so all or nothing.
 */
const RESET = `with expected as (
    select * from unnest($2::text[], $3::text[], $4::boolean[]) e (topic, consumer, logged)
    where e.topic = $1
  ), begins as (
    select * from unnest($5::integer[], $6::bigint[]) b (kafka_partition, first_offset)
  ), moved as (
    update messaging.consumer_positions p
    set next_offset = coalesce(
        (select first_offset from begins b where b.kafka_partition = p.kafka_partition), 0),
      updated_at = now()
    where p.topic = $1
  ), placed as materialized (
    select o.id, o.day, exists (
      select from expected e
      where not exists (select from messaging.dead_letters d
          where d.message_id = o.message_id and d.consumer = e.consumer)
        and case when e.logged
          then not exists (select from events.log l
            where l.id = o.message_id and l.created_at = messaging.time_of(o.message_id))
          else not exists (select from messaging.inbox i
            where i.message_id = o.message_id and i.consumer = e.consumer) end
    ) as undone
    from messaging.outbox o
    where o.id >= (select low_id from messaging.reconciliation) and o.topic = $1
      and o.kafka_offset is not null
  ), changed as (
    update messaging.outbox o set sent_at = case when p.undone then null else o.sent_at end,
      kafka_partition = null, kafka_offset = null
    from placed p where o.id = p.id and o.day = p.day
    returning p.undone
  )
  select (count(*) filter (where undone))::integer as unsent from changed`;

/** Where the partitions of a topic begin. */
export interface PartitionBegin {
  readonly partition: number;
  readonly firstOffset: number;
}

/** Makes the outbox and the positions fit a topic that was made anew; how many rows will be sent again. */
export async function resetTopic(
  db: Queryable,
  expected: Expectations,
  topic: string,
  begins: readonly PartitionBegin[],
): Promise<number> {
  const [row] = await queryRows<{ unsent: number }>(db, {
    text: RESET,
    values: [
      topic,
      expected.topics,
      expected.consumers,
      expected.logged,
      begins.map(({ partition }) => partition),
      begins.map(({ firstOffset }) => firstOffset),
    ],
  });
  return row?.unsent ?? 0;
}
