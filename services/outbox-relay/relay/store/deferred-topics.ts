import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** A topic whose messages wait in the table. */
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

/** The note of `topic, id` in a relation, for statements that take places away. */
export function deferring(rows: string): string {
  return `insert into messaging.deferred_topics as d (topic, from_id)
    select topic, min(id) from ${rows} group by topic
    on conflict (topic) do update set from_id = least(d.from_id, excluded.from_id), revision = d.revision + 1`;
}

const DEFER = `${deferring("(values ($1::text, $2::bigint)) u (topic, id)")}
  returning topic, from_id as "fromId", waiting, revision`;

export async function deferTopic(db: Queryable, topic: string, id: number): Promise<DeferredTopic> {
  const [note] = await queryRows<DeferredTopic>(db, { text: DEFER, values: [topic, id] });
  return note ?? { topic, fromId: id, waiting: 0, revision: 0 };
}

const END = "delete from messaging.deferred_topics where topic = $1 and revision = $2";

/** Removes the note, unless it was changed since it was read. */
export async function endDeferral(
  db: Queryable,
  { topic, revision }: DeferredTopic,
): Promise<void> {
  await queryRows(db, { text: END, values: [topic, revision] });
}
