import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { STATIC_TOPIC_NAMES } from "../../messages/topic-names.ts";

/** A larger depth is reported as this: counting a huge backlog would only slow it down further. */
const MOST_COUNTED = 100_000;

const MEASURE = `select
  (select count(*) from (select from messaging.unsent_messages limit ${MOST_COUNTED}) u) as depth,
  coalesce((select extract(epoch from clock_timestamp() - o.created_at)::float8
    from (select u.id, u.day from messaging.unsent_messages u order by u.id limit 1) u
    join messaging.outbox o on o.id = u.id and o.day = u.day), 0) as oldest_seconds,
  coalesce((select jsonb_object_agg(d.topic, d.letters) from (
    select p.topic, count(*) as letters from (select topic from messaging.dead_letters where state = 'parked'
      limit ${MOST_COUNTED}) p group by p.topic) d), '{}') as dead_letters`;

interface Measures {
  readonly depth: number;
  readonly oldest_seconds: number;
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
  const deadLetters = metrics.gauge({
    name: "dead_letters_open",
    help: `Dead letters that wait for an operator, by topic; at most ${MOST_COUNTED} are counted`,
    labels: ["topic"],
  });
  const forget = (): void => {
    depth.remove();
    oldest.remove();
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
    deadLetters.reset();
    for (const topic of STATIC_TOPIC_NAMES) deadLetters.set({ topic }, 0);
    for (const [topic, letters] of Object.entries(row.dead_letters)) {
      deadLetters.set({ topic: topic.slice(topicPrefix.length) }, letters);
    }
  };
}
