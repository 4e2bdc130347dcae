import type { Pool } from "pg";
import { inTransaction, queryRows } from "../../../platform/db/transaction.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import { toOutboxMessage, type InsertedRow } from "../stream/log-messages.ts";
import { StreamBuffer } from "../stream/stream-buffer.ts";
import { EVERY_TOPIC, type DeferredTopic } from "./deferral-notes.ts";

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
    for (let rows = 1, goesOn = true; goesOn; rows = PAGE_ROWS) {
      const found = await queryRows<InsertedRow>(tx, { text: `fetch ${rows} from waiting` });
      const isEnd = found.length < rows;
      for (const row of found) buffer.addMessage(toOutboxMessage(row));
      do {
        const { messages } = buffer.take();
        goesOn = await onPage(messages, isEnd && buffer.isEmpty);
      } while (goesOn && !buffer.isEmpty);
      goesOn &&= !isEnd;
    }
  });
}
