import { conditionsOf, type FilterConditions } from "../../platform/db/filter-conditions.ts";
import { cutPageById, rowsOfPage, type CutRow, type IdRange } from "../../platform/db/id-range.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../platform/db/count-rows.ts";
import { boundValues, type BoundValues } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { PageRows } from "../../platform/http/paging.ts";

/**
 * The order, or the port-out, that a dead letter `d` is about: the order that its value names, else the id that is its
 * key, in any case. Two indexes have this expression.
 */
export const ORDER_OF_LETTER = `coalesce(d.order_id, case when length(d.key) = 36
  and encode(d.key, 'escape') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then encode(d.key, 'escape')::uuid end)`;

export const DEAD_LETTER_STATES = ["parked", "replayed", "discarded"] as const;

type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

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
  readonly porting_order_id: string | null;
}

export interface DeadLetterFilter {
  readonly state?: readonly DeadLetterState[] | undefined;
  /** The full name, prefix included. */
  readonly topic?: string | undefined;
  readonly error_code?: string | undefined;
  readonly consumer?: string | undefined;
  /** The message's key as text. */
  readonly key?: string | undefined;
  /** Of the order that the message names, or of the order, number or port-out that is its key. */
  readonly account_id?: string | undefined;
}

interface DeadLetterList {
  readonly range: IdRange;
  readonly filter: DeadLetterFilter;
}

const COLUMNS = `id, consumer, topic, kafka_partition, kafka_offset, key, headers, message_id, sealed_key_id,
  error_code, error_detail, state, created_at,
  (select o.id from orders.porting_orders o where o.id = ${ORDER_OF_LETTER}) as porting_order_id`;

const CONDITIONS = {
  state: (at: string) => `state = any (${at}::text[])`,
  topic: (at: string) => `topic = ${at}`,
  error_code: (at: string) => `error_code = ${at}`,
  consumer: (at: string) => `consumer = ${at}`,
  key: (at: string) => `key = convert_to(${at}, 'UTF8')`,
  account_id: (at: string) => `id in (
    select d.id from messaging.dead_letters d join orders.porting_orders o on o.id = ${ORDER_OF_LETTER}
      where o.account_id = ${at}
    union all select d.id from messaging.dead_letters d join orders.port_outs p on p.id = ${ORDER_OF_LETTER}
      where p.account_id = ${at}
    union all select d.id from messaging.dead_letters d
      join orders.numbers n on convert_to(n.phone_number, 'UTF8') = d.key where n.account_id = ${at})`,
} as const satisfies FilterConditions<DeadLetterFilter>;

function matching(filter: DeadLetterFilter, bind: BoundValues["bind"]): string {
  return conditionsOf<DeadLetterFilter>(CONDITIONS, filter, bind)
    .map((one) => `and ${one}`)
    .join(" ");
}

/** What a dead letter takes in an answer: the value that a list shows, its headers, and the rest. */
const BYTES = "(600 + coalesce(octet_length(p.value), 0) + octet_length(p.headers::text))";

function pageOf({ range, filter }: DeadLetterList): PageStatement {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const rows = `select ${COLUMNS}, case when octet_length(value) <= 65536 then value end as value
      from messaging.dead_letters d where id > $1 and id < $2 ${matching(filter, bind)}`;
  return { rows, order: `id ${range.direction}`, limit: "$3", values };
}

/** A page of dead letters; values over 64 KiB are null here, `findDeadLetter` has them. */
export async function listDeadLetters(
  db: Queryable,
  list: DeadLetterList,
): Promise<Pick<PageRows<DeadLetter>, "rows" | "hasMore">> {
  const page = pageOf(list);
  const { direction, fetch } = list.range;
  const text = cutPageById(pageText(page), direction, BYTES);
  const { values } = page;
  return rowsOfPage(await queryRows<DeadLetter & CutRow>(db, { text, values }), fetch);
}

export async function countLetters(db: Queryable, list: DeadLetterList): Promise<Total> {
  return countRows(db, pageOf(list));
}

/** How many of the open dead letters in a range of ids match. */
export async function countOpenLetters(
  db: Queryable,
  { range, filter }: DeadLetterList,
): Promise<number> {
  const { values, bind } = boundValues(range.above, range.below);
  const [row] = await queryRows<{ matched: number }>(db, {
    text: `select count(*) as matched from messaging.dead_letters
      where id > $1 and id < $2 and state = 'parked' ${matching(filter, bind)}`,
    values,
  });
  return row?.matched ?? 0;
}

/** The first of the open dead letters in a range of ids that match and that nobody else has locked, locked. */
export async function lockOpenLetters(
  tx: Queryable,
  { range, filter }: DeadLetterList,
): Promise<DeadLetter[]> {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  return queryRows<DeadLetter>(tx, {
    text: `select ${COLUMNS}, value from messaging.dead_letters d
      where id > $1 and id < $2 and state = 'parked' ${matching(filter, bind)}
      order by id limit $3 for update skip locked`,
    values,
  });
}

/** Null where no dead letter has the id. */
export async function findDeadLetter(db: Queryable, id: string): Promise<DeadLetter | null> {
  const [row] = await queryRows<DeadLetter>(db, {
    name: "dead-letter-find",
    text: `select ${COLUMNS}, value from messaging.dead_letters d where id = $1`,
    values: [id],
  });
  return row ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockDeadLetter(tx: Queryable, id: string): Promise<DeadLetter | null> {
  const [row] = await queryRows<DeadLetter>(tx, {
    name: "dead-letter-lock",
    text: `select ${COLUMNS}, value from messaging.dead_letters d where id = $1 for update`,
    values: [id],
  });
  return row ?? null;
}

export async function settleDeadLetters(
  tx: Queryable,
  ids: readonly string[],
  { state, now }: { readonly state: DeadLetterState; readonly now: Date },
): Promise<void> {
  await queryRows(tx, {
    name: "dead-letters-settle",
    text: `update messaging.dead_letters set state = $2, updated_at = $3 where id = any ($1::uuid[])`,
    values: [ids, state, now],
  });
}
