import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { STATIC_TOPIC_NAMES } from "../../messages/topics.ts";

/** A larger depth is reported as this: counting a huge backlog would only slow it down further. */
const MOST_COUNTED = 100_000;

const MEASURE = `select
  (select count(*) from (select from messaging.outbox o
      where o.id > (select r.handled_id from messaging.relay_state r) limit ${MOST_COUNTED}) o)
    + coalesce((select sum(d.waiting) from messaging.deferred_topics d), 0)::bigint as depth,
  coalesce(extract(epoch from clock_timestamp() - least(
    (select o.created_at from messaging.outbox o
      where o.id > (select r.handled_id from messaging.relay_state r) order by o.id limit 1),
    (select min(d.since) from messaging.deferred_topics d)))::float8, 0) as oldest_seconds,
  (select pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::float8
    from pg_replication_slots s join pg_database d on s.slot_name = 'porting_outbox_' || d.oid::text
    where d.datname = current_database()) as log_bytes,
  coalesce((select jsonb_object_agg(d.topic, d.letters) from (
    select p.topic, count(*) as letters from (select topic from messaging.dead_letters where state = 'parked'
      limit ${MOST_COUNTED}) p group by p.topic) d), '{}') as dead_letters`;

interface Measures {
  readonly depth: number;
  readonly oldest_seconds: number;
  /** Null without a slot. */
  readonly log_bytes: number | null;
  /** By topic. */
  readonly dead_letters: Readonly<Record<string, number>>;
}

/**
 * Registers the gauges of the outbox; the returned function measures them with one statement. While they cannot be measured
 * they have no series: what was measured last would look as if all were well.
 */
export function outboxGauges(
  db: Queryable,
  metrics: Metrics,
  topicPrefix: string,
): () => Promise<void> {
  const depth = metrics.gauge({
    name: "outbox_unsent_messages",
    help: `Outbox rows that are not sent; at most ${MOST_COUNTED} are counted`,
  });
  const oldest = metrics.gauge({
    name: "outbox_oldest_seconds",
    help: "Age of the oldest outbox row that is not sent",
  });
  const logBytes = metrics.gauge({
    name: "outbox_log_bytes",
    help: "How much of the database's log the relay has yet to confirm; Postgres keeps it until then",
  });
  const deadLetters = metrics.gauge({
    name: "dead_letters_open",
    help: `Dead letters that wait for an operator, by topic; at most ${MOST_COUNTED} are counted`,
    labels: ["topic"],
  });
  const forget = (): void => {
    depth.remove();
    oldest.remove();
    logBytes.remove();
    deadLetters.reset();
  };
  forget();
  return async () => {
    const [row] = await queryRows<Measures>(db, { name: "outbox-measure", text: MEASURE }).catch(
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    if (row === undefined) return;
    depth.set(row.depth);
    oldest.set(Math.max(0, row.oldest_seconds));
    if (row.log_bytes !== null) logBytes.set(Math.max(0, row.log_bytes));
    else logBytes.remove();
    deadLetters.reset();
    for (const topic of STATIC_TOPIC_NAMES) deadLetters.set({ topic }, 0);
    for (const [topic, letters] of Object.entries(row.dead_letters)) {
      deadLetters.set({ topic: topic.slice(topicPrefix.length) }, letters);
    }
  };
}
