import { recordset, recordsetValue, type Columns } from "../../../platform/db/recordset.ts";
import {
  inTransaction,
  queryRows,
  type Database,
  type Queryable,
} from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import type { AccountStatus } from "./accounts.ts";
import { API_KEY, hashKey, issueKey } from "../rules/api-key.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";

/** An API key without the key itself; active while it is not revoked. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string | null;
  readonly prefix: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface NewApiKey {
  readonly accountId: string;
  readonly name: string | null;
  readonly at: Date;
}

/** Issues an active key for an account; `key` is the key itself, shown once. */
export async function issueApiKey(
  tx: Queryable,
  { accountId, name, at }: NewApiKey,
): Promise<{ record: ApiKeyRecord; key: string }> {
  const { key, prefix, hash } = issueKey(API_KEY);
  const record = {
    id: newId(at),
    name,
    prefix,
    created_at: at,
    last_used_at: null,
    revoked_at: null,
  };
  await queryRows(tx, {
    name: "api-key-insert",
    text: `insert into accounts.api_keys (id, account_id, name, prefix, key_hash, created_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [record.id, accountId, name, prefix, hash, at],
  });
  return { record, key };
}

/** Active ones of an account; revoked keys stay in the list. */
const MAX_KEYS = 100;

/** Until the transaction ends; what is counted of an account is counted one after the other. */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await queryRows(tx, { name: "account-lock", text: LOCK_ACCOUNT, values: [accountId] });
}

/** Call before a key is issued, in its transaction. @throws `quota_exceeded` where the account has as many as it may */
export async function requireRoomForKey(tx: Queryable, accountId: string): Promise<void> {
  await lockAccount(tx, accountId);
  const [found] = await queryRows<{ active: number }>(tx, {
    name: "api-keys-active",
    text: `select count(*)::integer as active from accounts.api_keys
      where account_id = $1 and revoked_at is null`,
    values: [accountId],
  });
  if ((found?.active ?? 0) < MAX_KEYS) return;
  const detail = `An account has ${MAX_KEYS} active API keys at most. Revoke one first.`;
  throw new AppError("quota_exceeded", detail);
}

const LIST = {
  asc: `select id, name, prefix, created_at, last_used_at, revoked_at from accounts.api_keys
    where account_id = $1 and id > $2 and id < $3 order by id asc limit $4`,
  desc: `select id, name, prefix, created_at, last_used_at, revoked_at from accounts.api_keys
    where account_id = $1 and id > $2 and id < $3 order by id desc limit $4`,
};

export interface ApiKeyList {
  readonly accountId: string;
  readonly range: IdRange;
}

/** An account's keys in a range of ids, active and revoked, in scan order. */
export async function listApiKeys(
  db: Queryable,
  { accountId, range }: ApiKeyList,
): Promise<ApiKeyRecord[]> {
  return queryRows(db, {
    name: `api-keys-list-${range.direction}`,
    text: LIST[range.direction],
    values: [accountId, range.above, range.below, range.fetch],
  });
}

export async function hasApiKey(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    name: "api-key-exists",
    text: "select from accounts.api_keys where account_id = $1 and id = $2",
    values: [accountId, id],
  });
  return rows.length > 0;
}

const LOCK_ACCOUNT = "select id from accounts.accounts where id = $1 for no key update";

const FIND_WITH_ACTIVE = `select k.revoked_at, (
    select count(*) from accounts.api_keys a where a.account_id = $1 and a.revoked_at is null
  ) as active
  from accounts.api_keys k where k.account_id = $1 and k.id = $2`;

const REVOKE = `update accounts.api_keys set revoked_at = $3
  where account_id = $1 and id = $2 and revoked_at is null`;

interface KeyRevocation {
  readonly id: string;
  readonly at: Date;
  /** Further writes in the same transaction, such as the audit row; not for a repeat. */
  readonly also?: (tx: Queryable) => Promise<void>;
}

/**
 * Revokes a key, with immediate effect in every process; a repeat changes nothing.
 * @throws `not_found`, and `last_active_key` if the account would be left without a key
 */
export async function revokeApiKey(
  db: Database,
  accountId: string,
  { id, at, also }: KeyRevocation,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Revocations of one account are serialized, so that the second counts the keys left by the first.
    await lockAccount(tx, accountId);
    const [found] = await queryRows<{ revoked_at: Date | null; active: number }>(tx, {
      name: "api-key-with-active",
      text: FIND_WITH_ACTIVE,
      values: [accountId, id],
    });
    if (found === undefined) throw new AppError("not_found", "There is no such key.");
    if (found.revoked_at !== null) return;
    if (found.active <= 1) {
      throw new AppError("last_active_key", "Create another key before you revoke this one.");
    }
    await queryRows(tx, { name: "api-key-revoke", text: REVOKE, values: [accountId, id, at] });
    await also?.(tx);
  });
}

export interface KeyHolder {
  readonly key_id: string;
  readonly account_id: string;
  readonly status: AccountStatus;
  readonly has_number_defaults: boolean;
}

const ASKED_KEY = { n: "integer", key_hash: "bytea" } as const satisfies Columns;

// One by one: for an array, Postgres would never use a generic plan and would plan every call.
const FIND_HOLDERS = `select u.n, holder.key_id, holder.account_id, holder.status, holder.has_number_defaults
  from ${recordset("$1", ASKED_KEY)}
  cross join lateral (
    select k.id as key_id, k.account_id, a.status,
      exists (select from accounts.number_defaults d where d.account_id = a.id) as has_number_defaults
    from accounts.api_keys k join accounts.accounts a on a.id = k.account_id
    where k.key_hash = u.key_hash and k.revoked_at is null
    offset 0
  ) holder`;

/** The holders of the active keys among these, by key; any key missing from the result is not valid. */
export async function findKeyHolders(
  db: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyHolder>> {
  const asked = [...new Set(keys)];
  const hashes = asked.map((key, n) => ({ n, key_hash: hashKey(key) }));
  const rows = await queryRows<KeyHolder & { readonly n: number }>(db, {
    name: "api-key-holders",
    text: FIND_HOLDERS,
    values: [recordsetValue(ASKED_KEY, hashes)],
  });
  return new Map(rows.map((holder) => [asked[holder.n] ?? "", holder]));
}

/** The holder of an active key; queried for every request, so that a revocation takes effect everywhere at once. */
export async function findKeyHolder(db: Queryable, key: string): Promise<KeyHolder | null> {
  return (await findKeyHolders(db, [key])).get(key) ?? null;
}

export interface KeyUse {
  readonly keyId: string;
  readonly at: Date;
}

// Rows are locked in id order, because several processes write the same keys.
const RECORD_USES = `with used as materialized (
    select k.id, u.at
    from unnest($1::uuid[], $2::timestamptz[]) u (id, at)
    join accounts.api_keys k on k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.at
    order by k.id for no key update of k
  )
  update accounts.api_keys k set last_used_at = greatest(k.last_used_at, used.at)
  from used where k.id = used.id`;

/** Advances `last_used_at` of many keys, never backwards. */
export async function recordKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await queryRows(db, {
    name: "api-keys-used",
    text: RECORD_USES,
    values: [uses.map((use) => use.keyId), uses.map((use) => use.at)],
  });
}

/** The keys among these that are active and whose account is not suspended. */
export async function findUsableKeys(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queryRows<{ id: string }>(db, {
    name: "api-keys-usable",
    text: `select k.id from accounts.api_keys k join accounts.accounts a on a.id = k.account_id
      where k.id = any ($1::uuid[]) and k.revoked_at is null and a.status = 'active'`,
    values: [keyIds],
  });
  return new Set(rows.map(({ id }) => id));
}
