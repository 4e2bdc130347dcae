import type { Parameter } from "../db/recordset.ts";
import { queryRows, type Queryable } from "../db/transaction.ts";

/** A consumer's position in a partition: everything below `nextOffset` has had its effect. */
export interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

/** A consumer's positions as the parameter value of `positionsUpsert`. */
export function positionsValue(consumer: string, positions: readonly Position[]): string {
  return JSON.stringify({ consumer, positions });
}

/** The upsert of the consumer's positions in a parameter, for use in a larger statement. */
export function positionsUpsert(parameter: Parameter): string {
  const value = `${parameter}::jsonb`;
  return `insert into messaging.consumer_positions as p (consumer, topic, kafka_partition, next_offset)
    select ${value}->>'consumer', n.topic, n.partition, n."nextOffset"
    from jsonb_to_recordset(${value}->'positions') n (topic text, partition integer, "nextOffset" bigint)
    order by n.topic, n.partition
    on conflict (consumer, topic, kafka_partition) do update
      set next_offset = excluded.next_offset, updated_at = now()
      where p.next_offset < excluded.next_offset`;
}

const CLAIM = `with position as (${positionsUpsert("$3")})
  insert into messaging.inbox (consumer, message_id) values ($1, $2)
  on conflict do nothing returning message_id`;

/**
 * Moves the position past a message; false if the consumer has handled the message before. Must run first in the
 * transaction of the effect: a process that still handles the partition it has lost then goes first or finds it done.
 */
export async function claimMessage(
  tx: Queryable,
  {
    consumer,
    messageId,
    position,
  }: { readonly consumer: string; readonly messageId: string; readonly position: Position },
): Promise<boolean> {
  const rows = await queryRows(tx, {
    name: "inbox-claim",
    text: CLAIM,
    values: [consumer, messageId, positionsValue(consumer, [position])],
  });
  return rows.length === 1;
}

const CLAIM_SEVERAL = `with position as (${positionsUpsert("$2")})
  insert into messaging.inbox (consumer, message_id) select $1, u.id from unnest($3::uuid[]) as u (id)
  on conflict do nothing returning message_id`;

/** Messages of a consumer, and its positions after them. */
interface HandledMessages {
  readonly consumer: string;
  readonly messageIds: readonly string[];
  readonly positions: readonly Position[];
}

/** Claims several messages as `claimMessage` does one; returns the ids that the consumer has not handled before. */
export async function claimMessages(
  tx: Queryable,
  { consumer, messageIds, positions }: HandledMessages,
): Promise<Set<string>> {
  const rows = await queryRows<{ message_id: string }>(tx, {
    name: "inbox-claim-several",
    text: CLAIM_SEVERAL,
    values: [consumer, positionsValue(consumer, positions), messageIds],
  });
  return new Set(rows.map((row) => row.message_id));
}

const RECORD = positionsUpsert("$1");

/** Records how far the consumer has come, in the transaction of the effect; never moves backwards. */
export async function recordPosition(
  tx: Queryable,
  consumer: string,
  position: Position,
): Promise<void> {
  await queryRows(tx, {
    name: "position-record",
    text: RECORD,
    values: [positionsValue(consumer, [position])],
  });
}

/** A consumer's position in a partition as stored in the database. */
export interface StoredPosition {
  readonly consumer: string;
  /** The full name, with the deployment's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly next_offset: number;
}

const READ = `select consumer, topic, kafka_partition as partition, next_offset
  from messaging.consumer_positions where starts_with(topic, $1)
  order by consumer, topic, kafka_partition`;

/** Every position on the topics with the prefix. */
export async function readPositions(db: Queryable, topicPrefix: string): Promise<StoredPosition[]> {
  return queryRows<StoredPosition>(db, { text: READ, values: [topicPrefix] });
}
