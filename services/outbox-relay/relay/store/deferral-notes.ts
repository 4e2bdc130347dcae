import type { Pool } from "pg";
import { inTransaction, queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** The note of a slot that was lost. No topic has this name. */
export const EVERY_TOPIC = "*";

/** A topic whose messages wait in the table, or every one. */
export interface DeferredTopic {
  readonly topic: string;
  /** The lowest id that waits. */
  readonly fromId: number;
  readonly waiting: number;
  /** Raised by each note: one that was changed meanwhile is not removed. */
  readonly revision: number;
}

const READ = `select topic, from_id as "fromId", waiting, revision from messaging.deferred_topics order by topic`;

export async function readDeferred(db: Queryable): Promise<DeferredTopic[]> {
  return queryRows<DeferredTopic>(db, { name: "outbox-deferred", text: READ });
}

/** The note of `topic, id` in a relation, for statements that take places away; while every topic waits, from where these do. */
export function deferring(rows: string): string {
  return `insert into messaging.deferred_topics as d (topic, from_id)
    select topic, least(min(id), (select e.from_id from messaging.deferred_topics e where e.topic = '${EVERY_TOPIC}'))
    from ${rows} group by topic
    on conflict (topic) do update set from_id = least(d.from_id, excluded.from_id), revision = d.revision + 1`;
}

/**
 * From the first message that may have been committed after the position that was confirmed last: a transaction draws its last
 * id within ten minutes.
 */
const DEFER_ALL = `with since as (
    select coalesce((select o.id from messaging.outbox o
      where o.id <= r.handled_id and o.created_at < r.handled_at - interval '20 minutes'
      order by o.id desc limit 1), 0) + 1 as id
    from messaging.relay_state r
  ), lowered as (
    update messaging.deferred_topics d set from_id = least(d.from_id, s.id), revision = d.revision + 1
    from since s where d.topic <> '${EVERY_TOPIC}'
  )
  ${deferring(`(select '${EVERY_TOPIC}' as topic, id from since) u`)}`;

/** Notes that every topic waits, also those that have notes of their own. */
export async function deferAll(pool: Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    // A note that is written meanwhile is to see this one.
    await queryRows(tx, {
      text: "lock table messaging.deferred_topics in share row exclusive mode",
    });
    await queryRows(tx, { text: DEFER_ALL });
  });
}

const DEFER = deferring("(values ($1::text, $2::bigint)) u (topic, id)");

export async function deferTopic(db: Queryable, topic: string, id: number): Promise<void> {
  await queryRows(db, { text: DEFER, values: [topic, id] });
}

const END = "delete from messaging.deferred_topics where topic = $1 and revision = $2";

/** Removes the note, unless it was changed since it was read. */
export async function endDeferral(
  db: Queryable,
  { topic, revision }: DeferredTopic,
): Promise<void> {
  await queryRows(db, { text: END, values: [topic, revision] });
}
