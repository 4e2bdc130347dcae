import type { Pool } from "pg";
import { boundValues } from "../../../services/platform/db/recordset.ts";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../../services/platform/db/transaction.ts";
import { AppError } from "../../../services/platform/errors.ts";
import type { SecretBox } from "../../../services/platform/secret-box.ts";

type KeyType = "uuid" | "text" | "date" | "integer" | "bigint";

/** A table with encrypted values: the column of bytes, and the column with the id of their key. */
export interface SealedPlace {
  readonly table: string;
  readonly bytes: string;
  readonly keyId: string;
  /** The primary key. */
  readonly key: readonly { readonly column: string; readonly type: KeyType }[];
  /** Columns whose values the secret is bound to; the primary key unless given. */
  readonly boundTo?: readonly string[];
  /** Prefix of the additional authenticated data, before the values that it is bound to, all separated by slashes. */
  readonly kind?: string;
}

/** The additional authenticated data of a value, from the values of the columns that it is bound to. */
export function sealedTo({ kind }: SealedPlace, bound: readonly string[]): string {
  return [...(kind === undefined ? [] : [kind]), ...bound].join("/");
}

/** The columns whose values a secret is bound to. */
function boundColumns({ key, boundTo }: SealedPlace): readonly string[] {
  return boundTo ?? key.map(({ column }) => column);
}

/** All places; a test fails for a column that ends in `key_id` and is not listed here. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  {
    table: "webhooks.endpoints",
    bytes: "signing_secret",
    keyId: "secret_key_id",
    key: [{ column: "id", type: "uuid" }],
  },
  {
    table: "webhooks.endpoints",
    bytes: "previous_secret",
    keyId: "previous_secret_key_id",
    key: [{ column: "id", type: "uuid" }],
  },
  {
    table: "webhooks.account_secrets",
    bytes: "signing_secret",
    keyId: "secret_key_id",
    key: [{ column: "account_id", type: "uuid" }],
  },
  {
    table: "webhooks.account_secrets",
    bytes: "previous_secret",
    keyId: "previous_secret_key_id",
    key: [{ column: "account_id", type: "uuid" }],
  },
  {
    table: "orders.requirements",
    bytes: "sealed_value",
    keyId: "sealed_key_id",
    key: [
      { column: "order_id", type: "uuid" },
      { column: "slug", type: "text" },
    ],
  },
  // After orders.requirements, from which a case copies its values: a copy made meanwhile is re-wrapped too.
  {
    table: "reviews.case_values",
    bytes: "sealed_value",
    keyId: "sealed_key_id",
    key: [
      { column: "order_id", type: "uuid" },
      { column: "attempt", type: "integer" },
      { column: "slug", type: "text" },
    ],
    boundTo: ["order_id", "slug"],
  },
  // Before orders.numbers, to which a PIN goes as its number becomes active.
  {
    table: "orders.order_numbers",
    bytes: "port_out_pin",
    keyId: "port_out_pin_key_id",
    key: [
      { column: "order_id", type: "uuid" },
      { column: "phone_number", type: "text" },
    ],
    boundTo: ["account_id", "phone_number"],
    kind: "port_out_pin",
  },
  {
    table: "orders.numbers",
    bytes: "port_out_pin",
    keyId: "port_out_pin_key_id",
    key: [
      { column: "account_id", type: "uuid" },
      { column: "phone_number", type: "text" },
    ],
    kind: "port_out_pin",
  },
  {
    table: "carriers.port_out_requests",
    bytes: "requester",
    keyId: "requester_key_id",
    key: [
      { column: "provider", type: "text" },
      { column: "port_out_ref", type: "text" },
    ],
    kind: "port_out_requester",
  },
  {
    table: "messaging.outbox",
    bytes: "value",
    keyId: "sealed_key_id",
    key: [
      { column: "day", type: "date" },
      { column: "id", type: "bigint" },
    ],
    boundTo: ["topic", "message_id"],
    kind: "message",
  },
  {
    table: "messaging.dead_letters",
    bytes: "value",
    keyId: "sealed_key_id",
    key: [{ column: "id", type: "uuid" }],
    boundTo: ["topic", "message_id"],
    kind: "message",
  },
  {
    table: "messaging.generated_keys",
    bytes: "sealed_key",
    keyId: "sealed_key_id",
    key: [{ column: "purpose", type: "text" }],
    kind: "generated_key",
  },
];

const BATCH = 200;

/** The keys of a rotation: the older ones decrypt, the current one encrypts. */
export interface KeyChange {
  readonly box: SecretBox;
  readonly currentId: string;
  readonly olderIds: readonly string[];
}

export interface PassOverPlace {
  readonly rewrapped: number;
  /** Values with a known key that do not decrypt with it for their row: left unchanged. */
  readonly unreadable: number;
}

interface SealedRow {
  readonly key: readonly string[];
  readonly bound: readonly string[];
  readonly bytes: Buffer;
  readonly key_id: string;
}

interface BatchStart {
  readonly place: SealedPlace;
  readonly change: KeyChange;
  /** The primary key of the last row that was read; empty at the beginning. */
  readonly after: readonly string[];
}

interface Batch extends PassOverPlace {
  /** The primary key of the last row that was read; null at the end. */
  readonly last: readonly string[] | null;
}

/**
 * Re-wraps all values of a place under an older key with the current one, a batch per transaction, so that it
 * may be stopped at any time and run again. Skips locked rows instead of waiting for them.
 */
export async function rewrapPlace(
  pool: Pool,
  place: SealedPlace,
  change: KeyChange,
): Promise<PassOverPlace> {
  let rewrapped = 0;
  let unreadable = 0;
  for (let after: readonly string[] | null = []; after !== null;) {
    const start: BatchStart = { place, change, after };
    const batch: Batch = await inTransaction(pool, (tx) => rewrapBatch(tx, start));
    rewrapped += batch.rewrapped;
    unreadable += batch.unreadable;
    after = batch.last;
  }
  return { rewrapped, unreadable };
}

async function rewrapBatch(tx: Queryable, start: BatchStart): Promise<Batch> {
  const { place, change } = start;
  const rows = await lockNext(tx, start);
  const opened = rows.flatMap((row) => {
    const aad = sealedTo(place, row.bound);
    const plain = openOrNull(change.box, row, aad);
    return plain === null ? [] : [{ key: row.key, bytes: change.box.seal(plain, aad).bytes }];
  });
  const assigned = place.key.map(({ column }, n) => `t.${column} = u.k${n}`).join(" and ");
  const names = place.key.map((_, n) => `k${n}`).join(", ");
  const { values, bind } = boundValues(
    change.currentId,
    opened.map(({ bytes }) => bytes),
  );
  const keys = place.key.map(
    ({ type }, n) => `${bind(opened.map(({ key }) => key[n]))}::${type}[]`,
  );
  await queryRows(tx, {
    text: `update ${place.table} t set ${place.bytes} = u.bytes, ${place.keyId} = $1
      from unnest($2::bytea[], ${keys.join(", ")}) u (bytes, ${names}) where ${assigned}`,
    values,
  });
  const last = rows.length < BATCH ? null : (rows.at(-1)?.key ?? null);
  return { rewrapped: opened.length, unreadable: rows.length - opened.length, last };
}

async function lockNext(tx: Queryable, { place, change, after }: BatchStart): Promise<SealedRow[]> {
  const columns = place.key.map(({ column }) => column).join(", ");
  const texts = place.key.map(({ column }) => `${column}::text`).join(", ");
  const bound = boundColumns(place).map((column) => `${column}::text`);
  const { values, bind } = boundValues(change.olderIds);
  const cursor = after.map((value, n) => `${bind(value)}::${place.key[n]?.type ?? "text"}`);
  const beyond = after.length === 0 ? "" : `and (${columns}) > (${cursor.join(", ")})`;
  return queryRows<SealedRow>(tx, {
    text: `select array[${texts}] as key, array[${bound.join(", ")}] as bound, ${place.bytes} as bytes, ${place.keyId} as key_id
      from ${place.table} where ${place.keyId} = any ($1::text[]) ${beyond}
      order by ${columns} limit ${BATCH} for update skip locked`,
    values,
  });
}

function openOrNull(box: SecretBox, { bytes, key_id }: SealedRow, aad: string): Buffer | null {
  try {
    return box.openBytes({ bytes, keyId: key_id }, aad);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** How many values of a place are under each key other than the current one. */
export async function countUnderOtherKeys(
  db: Queryable,
  place: SealedPlace,
  currentId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows<{ key_id: string; count: number }>(db, {
    text: `select ${place.keyId} as key_id, count(*) from ${place.table}
      where ${place.keyId} <> $1 group by 1 order by 1`,
    values: [currentId],
  });
  return new Map(rows.map((row) => [row.key_id, row.count]));
}
