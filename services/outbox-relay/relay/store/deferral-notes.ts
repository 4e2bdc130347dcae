import type { Pool } from "pg";
import { inTransaction, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import { toOutboxMessage, type InsertedRow, StreamBuffer } from "../stream/outbox-stream.ts";

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

/** So many of the largest messages may be in memory at once. */
const PAGE_ROWS = 50;

/** What waits by itself has a note of its own, which has all that the note of every topic has. */
const CURSOR = `declare waiting no scroll cursor for
  select o.id, o.day, o.created_at, o.message_id, o.topic, o.key, o.value, o.headers, o.sealed_key_id from messaging.outbox o
  where o.id >= $2
    and (o.topic = $1 or $1 = '${EVERY_TOPIC}' and not exists (select from messaging.deferred_topics d where d.topic = o.topic))
    and not exists (select from messaging.sent_messages s where s.id = o.id and s.day = o.day)
  order by o.id`;

/** Called for each page; `isLast`: the snapshot has no more. Returns whether to go on. */
export type OnPage = (messages: readonly OutboxMessage[], isLast: boolean) => Promise<boolean>;

/**
 * Reads the messages of a note that have no place in the order of their ids, all as of one instant: where a message is among
 * them, so is each earlier one of its key. The first is a page by itself: whether its topic takes it is known before the next are
 * looked for, which may take long. Runs within a transaction that ends after the last page.
 */
export async function readWaiting(
  pool: Pool,
  { topic, fromId }: DeferredTopic,
  onPage: OnPage,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await queryRows(tx, { text: "set transaction isolation level repeatable read, read only" });
    // Kafka may take its time for a page.
    await queryRows(tx, { text: "set local idle_in_transaction_session_timeout = 0" });
    await queryRows(tx, { text: CURSOR, values: [topic, fromId] });
    const buffer = new StreamBuffer();
    let goesOn = true;
    let isEnd = false;
    for (let rows = 1; goesOn && !isEnd; rows = PAGE_ROWS) {
      const found = await queryRows<InsertedRow>(tx, { text: `fetch ${rows} from waiting` });
      isEnd = found.length < rows;
      for (const row of found) buffer.addMessage(toOutboxMessage(row), null);
      do {
        const { messages } = buffer.take();
        goesOn = await onPage(messages, isEnd && buffer.isEmpty);
      } while (goesOn && !buffer.isEmpty);
    }
  });
}
