import type { Position } from "../../../platform/inbox/inbox.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Expectations } from "../../reconcile/store/reconcile-step.ts";

const PAGE_ROWS = 5_000;

/**
 * Old offsets are meaningless on the new topic: rows without an effect become unsent, the others lose
 * partition and offset.
 */
const RESET_ROWS = `with expected as (
    select * from unnest($2::text[], $3::text[], $4::boolean[]) e (topic, consumer, logged)
    where e.topic = $1
  ), span as materialized (
    select id, day, shard, topic, message_id, sent_at, kafka_offset from messaging.outbox_progress
    where id >= greatest($5, (select low_id from messaging.reconciliation)) and id <= $6
    order by id limit ${PAGE_ROWS}
  ), placed as materialized (
    select o.id, o.day, o.shard, o.sent_at, exists (
      select from expected e
      where not exists (select from messaging.dead_letters d
          where d.message_id = o.message_id and d.consumer = e.consumer)
        and case when e.logged
          then not exists (select from events.log l
            where l.id = o.message_id and l.created_at = messaging.time_of(o.message_id))
          else not exists (select from messaging.inbox i
            where i.message_id = o.message_id and i.consumer = e.consumer) end
    ) as undone
    from span o where o.topic = $1 and o.kafka_offset is not null
  ), unsent as (
    insert into messaging.unsent_messages (id, day, shard)
    select id, day, shard from placed where undone order by id
    on conflict do nothing
    returning id
  ), without_place as (
    delete from messaging.sent_messages s
    where s.id = any (array(select p.id from placed p where p.undone))
      and s.day = any (array(select p.day from placed p where p.undone))
  ), displaced as (
    insert into messaging.sent_messages as s (id, day, sent_at)
    select id, day, sent_at from placed where not undone
    on conflict (id, day) do update set kafka_partition = null, kafka_offset = null
  ), noted as (
    update messaging.reconciliation r set unsent_again = r.unsent_again + again.rows
    from (select count(*) as rows from placed where undone) again
    where again.rows > 0
  )
  select (select max(id) from span) as last, (select count(*)::integer from unsent) as unsent`;

/** Rows of a topic, by their ids. */
export interface ResetRange {
  readonly topic: string;
  /** Both inclusive. */
  readonly from: number;
  readonly through: number;
}

export interface ResetPage {
  /** Id of the last row examined; null if there was none. */
  readonly last: number | null;
  /** How many rows will be sent again. */
  readonly unsent: number;
}

/** Adjusts the first page of a range to a recreated topic, all or nothing. */
export async function resetRows(
  db: Queryable,
  expected: Expectations,
  { topic, from, through }: ResetRange,
): Promise<ResetPage> {
  const [page] = await queryRows<ResetPage>(db, {
    name: "topic-reset-rows",
    text: RESET_ROWS,
    values: [topic, expected.topics, expected.consumers, expected.logged, from, through],
  });
  return page ?? { last: null, unsent: 0 };
}

/** The highest outbox id drawn so far. */
export async function readHighestId(db: Queryable): Promise<number> {
  const text = "select last_value as highest from messaging.outbox_id";
  const [row] = await queryRows<{ highest: number }>(db, { text });
  return row?.highest ?? 0;
}

/** A consumer's position in a partition of a topic. */
export interface ConsumerPosition extends Position {
  readonly consumer: string;
}

export async function readPositionsOn(db: Queryable, topic: string): Promise<ConsumerPosition[]> {
  return queryRows<ConsumerPosition>(db, {
    text: `select consumer, topic, kafka_partition as partition, next_offset as "nextOffset"
      from messaging.consumer_positions where topic = $1`,
    values: [topic],
  });
}

const MOVE = `update messaging.consumer_positions p set next_offset = u.next_offset, updated_at = now()
  from unnest($2::text[], $3::integer[], $4::bigint[]) u (consumer, kafka_partition, next_offset)
  where p.topic = $1 and p.consumer = u.consumer and p.kafka_partition = u.kafka_partition`;
const RAISE = `${MOVE} and p.next_offset < u.next_offset`;

/** Sets positions; may move them backwards. */
export async function movePositions(
  db: Queryable,
  topic: string,
  positions: readonly ConsumerPosition[],
): Promise<void> {
  await queryRows(db, { text: MOVE, values: columnsOf(topic, positions) });
}

/** Raises positions; never moves them backwards. */
export async function raisePositions(
  db: Queryable,
  topic: string,
  positions: readonly ConsumerPosition[],
): Promise<void> {
  await queryRows(db, { text: RAISE, values: columnsOf(topic, positions) });
}

function columnsOf(topic: string, positions: readonly ConsumerPosition[]): unknown[] {
  return [
    topic,
    positions.map((one) => one.consumer),
    positions.map((one) => one.partition),
    positions.map((one) => one.nextOffset),
  ];
}
