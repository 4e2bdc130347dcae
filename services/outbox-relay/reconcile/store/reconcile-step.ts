import { CONSUMERS } from "../../../messages/bus/consumers.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { deferring, EVERY_TOPIC } from "../../relay/store/deferral-notes.ts";

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

/** Where topics end. What the database knew before they were asked lies below, but for a topic that lost messages. */
export interface TopicEnds {
  /** By the database's clock. */
  readonly askedAt: Date;
  /** The next offset of each partition, in their order; a partition that is not there has none. */
  readonly ends: Readonly<Record<string, readonly number[]>>;
}

/** SQL: the end of the partition of a row, `known` being a `TopicEnds` as JSON; null for a topic that was not asked. */
function endOf(row: string, known: string): string {
  return `case when ${known}->'ends' ? ${row}.topic
    then coalesce((${known}->'ends'->${row}.topic->>${row}.kafka_partition)::bigint, 0) end`;
}

const LOWER = `update messaging.consumer_positions p
  set next_offset = ${endOf("p", "$1::jsonb")}, updated_at = now()
  where p.updated_at < ($1::jsonb->>'askedAt')::timestamptz and p.next_offset > ${endOf("p", "$1::jsonb")}
  returning p.topic`;

/**
 * Lowers positions beyond the ends of their partitions, which were created again or truncated; returns the topics. A consumer
 * has passed none of what comes there now.
 */
export async function lowerPositions(db: Queryable, known: TopicEnds): Promise<string[]> {
  const rows = await queryRows<{ topic: string }>(db, {
    text: LOWER,
    values: [JSON.stringify(known)],
  });
  return [...new Set(rows.map(({ topic }) => topic))];
}

export interface ReconcileRange {
  /** Inclusive. */
  readonly from: number;
  readonly rows: number;
  /** How old a row must be to be done, and how long ago it must have been sent for its missing effect to be lost. */
  readonly afterMs: number;
  readonly known: TopicEnds;
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
 * Examines the rows of a range: a row is done when each consumer of its topic has handled or dead-lettered it, and once no
 * earlier one can become visible. The topic of a lost one is deferred from it on, which is what the relay sends from the table:
 * of one that its consumer has passed without effect; of one whose place its topic does not have any more; of one without a
 * place that the relay has passed, because the log may report a commit before a snapshot of the table shows it. If the range
 * starts at low_id, low_id moves past the last done row, not up to the first that is not, before which one may yet become
 * visible. The limits keep each lookup a lookup by key.
 */
const STEP = `with expected as (
    select * from unnest($1::text[], $2::text[], $3::boolean[]) e (topic, consumer, logged)
  ), span as materialized (
    select id, day, message_id, topic, waits or created_at > now() - make_interval(secs => $6::float8 / 1000) as waits,
      kafka_partition, kafka_offset, sent_at,
      sent_at < ($7::jsonb->>'askedAt')::timestamptz and kafka_offset >= ${endOf("p", "$7::jsonb")}
        or waits and created_at <= now() - make_interval(secs => $6::float8 / 1000)
          and id <= (select handled_id from messaging.relay_state)
          and not exists (select from messaging.deferred_topics d where d.topic in (p.topic, '${EVERY_TOPIC}')) as is_lost
    from messaging.outbox_progress p where id >= $4 order by id limit $5
  ), missing as materialized (
    select s.id, s.day, s.topic, s.message_id, s.sent_at < now() - make_interval(secs => $6::float8 / 1000)
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
          and d.message_id = s.message_id and d.consumer in (e.consumer, 'outbox-relay') and d.state <> 'replayed'
        limit 1) lettered on true
      left join messaging.consumer_positions p on p.consumer = e.consumer and p.topic = s.topic
        and p.kafka_partition = s.kafka_partition
    where not s.waits
      and event.there is null and handled.there is null and lettered.there is null
    union all
    select id, day, topic, message_id, true from span where is_lost
  ), seen as (
    select (select max(id) from span) as last, least(
      (select min(id) from span where waits), (select min(id) from missing)) as undone
  ), lost as (
    select distinct id, day, topic, message_id from missing where lost
  ), without_place as (
    delete from messaging.sent_messages s
    where s.id = any (array(select l.id from lost l)) and s.day = any (array(select l.day from lost l))
  ), deferred as (
    ${deferring("lost")}
  ), moved as (
    update messaging.reconciliation r set low_id = done.last + 1, updated_at = now()
    from (select max(s.id) as last from span s, seen where s.id < coalesce(seen.undone, s.id + 1)) done
    where r.low_id = $4 and done.last >= r.low_id
  )
  select seen.last, seen.undone, array(select message_id from lost) as resent
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
      range.rows,
      range.afterMs,
      JSON.stringify(range.known),
    ],
  });
  return row ?? { last: null, undone: null, resent: [] };
}

/** The watermark: every row below it is done. */
export async function readLowId(db: Queryable): Promise<number> {
  const text = "select low_id from messaging.reconciliation";
  const [row] = await queryRows<{ low_id: number }>(db, { name: "reconciled-to", text });
  return row?.low_id ?? 0;
}
