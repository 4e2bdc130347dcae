import type { Position } from "../../../platform/inbox/inbox.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { deferring } from "../../relay/store/deferred-topics.ts";

const PAGE_ROWS = 5_000;

/** Old offsets are meaningless on the new topic: its rows lose their places, and the relay sends them from the table. */
const RESET_ROWS = `with span as materialized (
    select id, day, topic from messaging.outbox
    where id >= greatest($2, (select low_id from messaging.reconciliation)) and id <= $3
    order by id limit ${PAGE_ROWS}
  ), displaced as (
    delete from messaging.sent_messages s
    where s.id = any (array(select span.id from span where span.topic = $1))
      and s.day = any (array(select span.day from span where span.topic = $1)) and s.kafka_offset is not null
    returning s.id
  ), deferred as (
    ${deferring("(select $1::text as topic, id from displaced) u")}
  )
  select (select max(id) from span) as last, (select count(*)::integer from displaced) as unsent`;

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

/** Adjusts the first page of a range to a recreated topic. */
export async function resetRows(
  db: Queryable,
  { topic, from, through }: ResetRange,
): Promise<ResetPage> {
  const [page] = await queryRows<ResetPage>(db, {
    name: "topic-reset-rows",
    text: RESET_ROWS,
    values: [topic, from, through],
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
