import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { OutboxMessage, Place } from "../outbox-message.ts";

/** How far the stream has come: what it has handled is sent, deferred or set aside. */
export interface Progress {
  /** The highest id that was sent, deferred or set aside. */
  readonly id: number;
  /** The latest time of writing among them. */
  readonly at: Date;
}

const WRITE = `with placed as (
    insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
    select * from unnest($1::bigint[], $2::date[], $3::integer[], $4::bigint[])
    on conflict (id, day) do update set sent_at = excluded.sent_at,
      kafka_partition = excluded.kafka_partition, kafka_offset = excluded.kafka_offset
  ), deferred as (
    update messaging.deferred_topics d set waiting = u.waiting
    from unnest($5::text[], $6::bigint[]) u (topic, waiting)
    where d.topic = u.topic and d.waiting <> u.waiting
  )
  update messaging.relay_state set handled_id = greatest(handled_id, $7), handled_at = greatest(handled_at, $8)`;

export interface Handled {
  /** One for each message. */
  readonly places: readonly Place[];
  /** How many messages wait, by deferred topic. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Null where only the table was read. */
  readonly progress: Progress | null;
}

/** Writes where messages went, and how far the stream has come. */
export async function writeHandled(
  db: Queryable,
  { places, waiting, progress }: Handled,
): Promise<void> {
  await queryRows(db, {
    name: "outbox-handled",
    text: WRITE,
    values: [
      places.map(({ message }) => message.id),
      places.map(({ message }) => message.day),
      places.map(({ sentTo }) => sentTo.partition),
      places.map(({ sentTo }) => sentTo.offset),
      [...waiting.keys()],
      [...waiting.values()],
      progress?.id ?? 0,
      progress?.at ?? null,
    ],
  });
}

const SET_ASIDE = `with letter as (
    insert into messaging.dead_letters (id, consumer, topic, kafka_partition, kafka_offset, key, value, headers,
      sealed_key_id, message_id, error_code, error_detail)
    select $3, 'outbox-relay', o.topic, -1, o.id, o.key, o.value, o.headers, o.sealed_key_id, o.message_id, 'rule_broken', $4
    from messaging.outbox o where o.id = $1 and o.day = $2
    on conflict do nothing
  )
  insert into messaging.sent_messages (id, day) values ($1, $2) on conflict do nothing`;

/** Why a message can never be sent, and the id of its dead letter. */
export interface SetAside {
  readonly letterId: string;
  readonly detail: string;
}

/** Keeps a message that can never be sent as a dead letter; it counts as sent, nowhere. */
export async function setAside(
  db: Queryable,
  { id, day }: OutboxMessage,
  { letterId, detail }: SetAside,
): Promise<void> {
  await queryRows(db, { text: SET_ASIDE, values: [id, day, letterId, detail] });
}
