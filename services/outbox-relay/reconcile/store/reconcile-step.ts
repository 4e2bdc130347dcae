import { CONSUMERS } from "../../../messages/bus/consumers.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** Parallel arrays, one entry per topic and consumer whose effect a sent row waits for. */
export interface Expectations {
  readonly topics: readonly string[];
  readonly consumers: readonly string[];
  /** Whether the effect is in the event log rather than in the inbox. */
  readonly logged: readonly boolean[];
}

/** The expectations of `CONSUMERS`, on the topics of this deployment. */
export function expectations(topicPrefix: string): Expectations {
  const entries = Object.entries(CONSUMERS).flatMap(([topic, consumers]) =>
    consumers.map((one) => ({ ...one, topic: topicPrefix + topic })),
  );
  return {
    topics: entries.map(({ topic }) => topic),
    consumers: entries.map(({ consumer }) => consumer),
    logged: entries.map(({ effect }) => effect === "event_log"),
  };
}

export interface ReconcileRange {
  /** Inclusive. */
  readonly from: number;
  /** Inclusive; no further row can appear at or below it. */
  readonly ceiling: number;
  readonly rows: number;
  /** How old a sent row must be before its missing effect is considered lost. */
  readonly afterMs: number;
}

export interface ReconcileResult {
  /** Id of the last row examined; null if there was none. */
  readonly last: number | null;
  /** Id of the first row that is not done; null if all are. */
  readonly undone: number | null;
  /** Message ids of the rows that will be sent again. */
  readonly resent: readonly string[];
}

/**
 * Examines the rows of a range: a row is done when each consumer of its topic has handled or
 * dead-lettered it. A row that its consumer has passed without effect becomes unsent again, of which the relay learns by
 * unsent_again. If the range starts at low_id, low_id moves past the done rows. The limits keep each lookup a lookup by key.
 */
const STEP = `with expected as (
    select * from unnest($1::text[], $2::text[], $3::boolean[]) e (topic, consumer, logged)
  ), span as materialized (
    select id, day, shard, message_id, topic, waits, kafka_partition, kafka_offset, sent_at
    from messaging.outbox_progress where id >= $4 and id <= $5 order by id limit $6
  ), missing as materialized (
    select s.id, s.day, s.shard, s.message_id, s.sent_at < now() - make_interval(secs => $7::float8 / 1000)
      and s.kafka_offset < p.next_offset as lost
    from span s join expected e on e.topic = s.topic
      left join lateral (select 1 as there from events.log l
        where e.logged and l.id = s.message_id and l.created_at = messaging.time_of(s.message_id)
        limit 1) event on true
      left join lateral (select 1 as there from messaging.inbox i
        where not e.logged and i.message_id = s.message_id and i.consumer = e.consumer
        limit 1) handled on true
      left join lateral (select 1 as there from messaging.dead_letters d
        where event.there is null and handled.there is null
          and d.message_id = s.message_id and d.consumer = e.consumer and d.state <> 'replayed'
        limit 1) lettered on true
      left join messaging.consumer_positions p on p.consumer = e.consumer and p.topic = s.topic
        and p.kafka_partition = s.kafka_partition
    where not s.waits
      and event.there is null and handled.there is null and lettered.there is null
  ), seen as (
    select (select max(id) from span) as last, least(
      (select min(id) from span where waits), (select min(id) from missing)) as undone
  ), lost as (
    select distinct id, day, shard, message_id from missing where lost
  ), without_place as (
    delete from messaging.sent_messages s
    where s.id = any (array(select l.id from lost l)) and s.day = any (array(select l.day from lost l))
  ), unsent as (
    insert into messaging.unsent_messages (id, day, shard)
    select id, day, shard from lost order by id
    on conflict do nothing
    returning id
  ), moved as (
    update messaging.reconciliation r
    set low_id = case when r.low_id = $4 then greatest(r.low_id, seen.next) else r.low_id end,
      unsent_again = r.unsent_again + again.rows, updated_at = now()
    from (select coalesce(undone, last + 1) as next from seen) seen,
      (select count(*) as rows from lost) again
    where again.rows > 0 or (r.low_id = $4 and seen.next > r.low_id)
  )
  select seen.last, seen.undone, array(select message_id from lost join unsent using (id)) as resent
  from seen`;

export async function reconcileStep(
  db: Queryable,
  expected: Expectations,
  range: ReconcileRange,
): Promise<ReconcileResult> {
  const [row] = await queryRows<ReconcileResult & { resent: string[] }>(db, {
    name: "reconcile-step",
    text: STEP,
    values: [
      expected.topics,
      expected.consumers,
      expected.logged,
      range.from,
      range.ceiling,
      range.rows,
      range.afterMs,
    ],
  });
  return row ?? { last: null, undone: null, resent: [] };
}

/** The state of the outbox: the highest id drawn, the open transactions, and the watermark. */
export interface OutboxHorizon {
  readonly highest: number;
  /** Every transaction before it has ended. */
  readonly oldest_transaction: number;
  /** No transaction has started at or after it. */
  readonly next_transaction: number;
  readonly low_id: number;
}

const HORIZON = `select s.last_value as highest,
    pg_snapshot_xmin(now.snapshot)::text::bigint as oldest_transaction,
    pg_snapshot_xmax(now.snapshot)::text::bigint as next_transaction, r.low_id
  from messaging.outbox_id s, messaging.reconciliation r, pg_current_snapshot() now (snapshot)`;

export async function readHorizon(db: Queryable): Promise<OutboxHorizon | null> {
  const [row] = await queryRows<OutboxHorizon>(db, { name: "outbox-horizon", text: HORIZON });
  return row ?? null;
}
