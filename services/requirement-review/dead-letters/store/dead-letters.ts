import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

export const DEAD_LETTER_STATES = ["parked", "replayed", "discarded"] as const;

export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** A message that a consumer could not handle. `topic` is the full name, prefix included. */
export interface DeadLetter {
  readonly id: string;
  readonly consumer: string;
  readonly topic: string;
  readonly kafka_partition: number;
  readonly kafka_offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly message_id: string | null;
  /** Set where the value is sealed. */
  readonly sealed_key_id: string | null;
  readonly error_code: string;
  readonly error_detail: string;
  readonly state: DeadLetterState;
  readonly created_at: Date;
}

export interface DeadLetterFilter {
  readonly state?: readonly DeadLetterState[] | undefined;
  readonly topic?: string | undefined;
  readonly errorCode?: string | undefined;
}

export interface DeadLetterList {
  readonly range: IdRange;
  readonly filter: DeadLetterFilter;
}

const COLUMNS = `id, consumer, topic, kafka_partition, kafka_offset, key, headers, message_id, sealed_key_id,
  error_code, error_detail, state, created_at`;

/** A page of dead letters; values over 64 KiB are null here, `findDeadLetter` has them. */
export async function listDeadLetters(
  db: Queryable,
  { range, filter: { state, topic, errorCode } }: DeadLetterList,
): Promise<DeadLetter[]> {
  return queryRows<DeadLetter>(db, {
    text: `select ${COLUMNS}, case when octet_length(value) <= 65536 then value end as value
      from messaging.dead_letters
      where id > $1 and id < $2 and ($3::text[] is null or state = any ($3))
        and ($4::text is null or topic = $4) and ($5::text is null or error_code = $5)
      order by id ${range.direction} limit $6`,
    values: [
      range.above,
      range.below,
      state ?? null,
      topic ?? null,
      errorCode ?? null,
      range.fetch,
    ],
  });
}

/** Null where no dead letter has the id. */
export async function findDeadLetter(db: Queryable, id: string): Promise<DeadLetter | null> {
  const [row] = await queryRows<DeadLetter>(db, {
    name: "dead-letter-find",
    text: `select ${COLUMNS}, value from messaging.dead_letters where id = $1`,
    values: [id],
  });
  return row ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockDeadLetter(tx: Queryable, id: string): Promise<DeadLetter | null> {
  const [row] = await queryRows<DeadLetter>(tx, {
    name: "dead-letter-lock",
    text: `select ${COLUMNS}, value from messaging.dead_letters where id = $1 for update`,
    values: [id],
  });
  return row ?? null;
}

export async function settleDeadLetter(
  tx: Queryable,
  id: string,
  { state, now }: { readonly state: DeadLetterState; readonly now: Date },
): Promise<void> {
  await queryRows(tx, {
    name: "dead-letter-settle",
    text: `update messaging.dead_letters set state = $2, updated_at = $3 where id = $1`,
    values: [id, state, now],
  });
}
