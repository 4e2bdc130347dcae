import type { StorableEvent } from "../../../services/domain/event/rules/storable-event.ts";
import { queryRows, type Queryable } from "../../../services/platform/db/transaction.ts";
import type { StoredPosition } from "../../../services/platform/inbox/inbox.ts";

/** A message on a topic that a restored database may not know. */
export interface FoundMessage {
  readonly messageId: string;
  readonly partition: number;
  readonly offset: number;
  readonly accountId: string | null;
  readonly orderId: string | null;
  /** The event's type; null for other messages. */
  readonly type: string | null;
  /** Whether webhook-sender had handled the event before the database was lost. */
  readonly wasSent: boolean;
}

const NOTE = `insert into messaging.orphans
    (topic, message_id, kafka_partition, kafka_offset, account_id, order_id, event_type, told)
  select distinct on (u.message_id) $1, u.*
  from unnest($2::uuid[], $3::integer[], $4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::boolean[])
    u (message_id, kafka_partition, kafka_offset, account_id, order_id, event_type, told)
  where not exists (select from messaging.outbox o where o.message_id = u.message_id)
    and not exists (select from messaging.inbox i where i.message_id = u.message_id)
    and not exists (select from events.log l
      where l.id = u.message_id and l.created_at = messaging.time_of(u.message_id))
  order by u.message_id, u.kafka_offset
  on conflict do nothing`;

/** Notes the messages that the database has neither sent nor handled; skips those noted before. */
export async function noteOrphans(
  db: Queryable,
  topic: string,
  messages: readonly FoundMessage[],
): Promise<void> {
  await queryRows(db, {
    text: NOTE,
    values: [
      topic,
      messages.map((one) => one.messageId),
      messages.map((one) => one.partition),
      messages.map((one) => one.offset),
      messages.map((one) => one.accountId),
      messages.map((one) => one.orderId),
      messages.map((one) => one.type),
      messages.map((one) => one.wasSent),
    ],
  });
}

const CLAIM_ORPHANS = `insert into messaging.inbox (consumer, message_id)
  select $1, o.message_id from messaging.orphans o where o.topic = $2 and o.message_id = any ($3)
  on conflict do nothing`;

export interface TopicMessages {
  readonly topic: string;
  readonly messageIds: readonly string[];
}

/** Marks the orphans among the messages as handled, so that the consumer skips them. */
export async function claimOrphans(
  db: Queryable,
  consumer: string,
  { topic, messageIds }: TopicMessages,
): Promise<void> {
  await queryRows(db, { text: CLAIM_ORPHANS, values: [consumer, topic, messageIds] });
}

const CLAIM = `insert into messaging.inbox (consumer, message_id)
  select $1, id from unnest($2::uuid[]) id on conflict do nothing returning message_id`;

/** Marks messages as handled by the consumer; returns how many were not marked before. */
export async function claimMessages(
  db: Queryable,
  consumer: string,
  messageIds: readonly string[],
): Promise<number> {
  return (await queryRows(db, { text: CLAIM, values: [consumer, messageIds] })).length;
}

/** The messages of a topic that the restored database does not know. */
export interface OrphanCount {
  readonly topic: string;
  readonly messages: number;
  /** Of these, events that webhook-sender had handled. */
  readonly sent: number;
  readonly first_id: string;
  readonly accounts: readonly string[];
  /** Orders of the events that the database does not have. */
  readonly absent_orders: readonly string[];
}

const COUNT = `select r.topic, count(*)::integer as messages, (count(*) filter (where r.told))::integer as sent,
    min(r.message_id::text) as first_id,
    coalesce(array_agg(distinct r.account_id::text) filter (where r.account_id is not null), '{}') as accounts,
    coalesce(array_agg(distinct r.order_id::text) filter (where r.order_id is not null and o.id is null), '{}')
      as absent_orders
  from messaging.orphans r left join orders.porting_orders o on o.id = r.order_id
  where starts_with(r.topic, $1) group by r.topic order by r.topic`;

/** Counts all orphans ever noted on the topics with the prefix. */
export async function countOrphans(db: Queryable, topicPrefix: string): Promise<OrphanCount[]> {
  return queryRows<OrphanCount>(db, { text: COUNT, values: [topicPrefix] });
}

const TOPS = `select account_id, sequence_key, max(order_sequence) as top
  from unnest($1::uuid[], $2::text[], $3::integer[]) u (account_id, sequence_key, order_sequence)
  group by account_id, sequence_key`;

const RAISE = `with tops as (${TOPS}), of_orders as (
    update orders.porting_orders o set event_sequence = t.top
    from tops t where o.id::text = t.sequence_key and o.event_sequence < t.top
  ), of_port_outs as (
    update orders.port_outs p set event_sequence = t.top
    from tops t where p.id::text = t.sequence_key and p.event_sequence < t.top
  )
  update orders.numbers n set event_sequence = t.top
  from tops t
  where n.account_id = t.account_id and n.phone_number = t.sequence_key and n.event_sequence < t.top`;

/** Raises the counters of orders, port-outs and numbers to their events', so that no sequence number is assigned twice. */
export async function raiseSequences(
  db: Queryable,
  events: readonly StorableEvent[],
): Promise<void> {
  const numbered = events.filter(({ orderSequence }) => orderSequence !== null);
  if (numbered.length === 0) return;
  await queryRows(db, {
    text: RAISE,
    values: [
      numbered.map((event) => event.accountId),
      numbered.map((event) => event.sequenceKey),
      numbered.map((event) => event.orderSequence),
    ],
  });
}

const WRITE = `insert into messaging.consumer_positions (consumer, topic, kafka_partition, next_offset)
  values ($1, $2, $3, $4)
  on conflict (consumer, topic, kafka_partition) do update
    set next_offset = excluded.next_offset, updated_at = now()`;

/** Sets a position, also backwards. */
export async function writePosition(db: Queryable, position: StoredPosition): Promise<void> {
  const { consumer, topic, partition, next_offset } = position;
  await queryRows(db, { text: WRITE, values: [consumer, topic, partition, next_offset] });
}
