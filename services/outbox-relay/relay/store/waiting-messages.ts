import type { Pool } from "pg";
import { inTransaction, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import { toOutboxMessage, type InsertedRow } from "../stream/log-messages.ts";
import { BATCH } from "../stream/stream-buffer.ts";
import { EVERY_TOPIC, type DeferredTopic } from "./deferred-topics.ts";

const WITHOUT_PLACE = `not exists (
    select from messaging.sent_messages s where s.id = o.id and s.day = o.day)`;
/** What waits by itself has a note of its own, which has all that the note of every topic has. */
const OF_NOTE = `(o.topic = $1 or $1 = '${EVERY_TOPIC}'
  and not exists (select from messaging.deferred_topics d where d.topic = o.topic))`;

const CURSOR = `declare waiting no scroll cursor for
  select o.id, o.day, octet_length(coalesce(o.value, '')) as bytes from messaging.outbox o
  where o.id >= $2 and ${OF_NOTE} and ${WITHOUT_PLACE} order by o.id`;

const MESSAGES = `select o.id, o.day, o.created_at, o.message_id, o.topic, o.key, o.value, o.headers, o.sealed_key_id
  from unnest($1::bigint[], $2::date[]) u (id, day)
  join messaging.outbox o on o.id = u.id and o.day = u.day order by o.id`;

const FIRST = `select o.id, o.day, o.created_at, o.message_id, o.topic, o.key, o.value, o.headers, o.sealed_key_id
  from messaging.outbox o where o.id = $2 and ${OF_NOTE} and ${WITHOUT_PLACE}`;

/** The first message of a note, where it has no place; else none. */
export async function readFirst(
  db: Queryable,
  { topic, fromId }: DeferredTopic,
): Promise<OutboxMessage[]> {
  const values = [topic, fromId];
  return (await queryRows<InsertedRow>(db, { name: "outbox-first", text: FIRST, values })).map(
    toOutboxMessage,
  );
}

interface Found {
  readonly id: number;
  readonly day: string;
  readonly bytes: number;
}

/** Called for each page; `isLast`: the snapshot has no more. Returns whether to go on. */
export type OnPage = (messages: readonly OutboxMessage[], isLast: boolean) => Promise<boolean>;

/**
 * Reads the messages of a note that have no place in the order of their ids, all as of one instant: where a message is among
 * them, so is each earlier one of its key. The pool's statements need time.
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
    for (let goesOn = true; goesOn;) {
      const found = await queryRows<Found>(tx, { text: `fetch ${BATCH.rows} from waiting` });
      const isEnd = found.length < BATCH.rows;
      const pages = bySize(found);
      for (const [n, page] of pages.entries()) {
        goesOn &&= await onPage(await readMessages(tx, page), isEnd && n === pages.length - 1);
      }
      if (isEnd) break;
    }
  });
}

/** Parts of as many bytes as may be in memory at once; always one. */
function bySize(found: readonly Found[]): Found[][] {
  const pages: Found[][] = [[]];
  let bytes = 0;
  for (const one of found) {
    if (bytes >= BATCH.bytes) {
      pages.push([]);
      bytes = 0;
    }
    pages.at(-1)?.push(one);
    bytes += one.bytes;
  }
  return pages;
}

async function readMessages(
  db: Queryable,
  page: readonly Pick<Found, "id" | "day">[],
): Promise<OutboxMessage[]> {
  if (page.length === 0) return [];
  const values = [page.map(({ id }) => id), page.map(({ day }) => day)];
  const rows = await queryRows<InsertedRow>(db, { text: MESSAGES, values });
  return rows.map(toOutboxMessage);
}
