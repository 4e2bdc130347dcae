import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import { boundValues } from "../../../platform/db/recordset.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../../platform/db/count-rows.ts";
import { pageByKey, type IdRange, type KeyOrder } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { newId } from "../../../platform/ids.ts";
import { issueApiKey } from "./api-keys.ts";

export const ACCOUNT_STATUSES = ["active", "suspended"] as const;

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly created_at: Date;
}

/** Creates an account with its first key; `apiKey` is the key itself, shown once. Call within a transaction. */
export async function createAccount(
  tx: Queryable,
  { name, at }: { readonly name: string; readonly at: Date },
): Promise<{ account: AccountRow; apiKey: string }> {
  const account: AccountRow = { id: newId(at), name, status: "active", created_at: at };
  await queryRows(tx, {
    name: "account-insert",
    text: "insert into accounts.accounts (id, name, status, created_at) values ($1, $2, $3, $4)",
    values: [account.id, name, account.status, at],
  });
  const { key } = await issueApiKey(tx, { accountId: account.id, name: null, at });
  return { account, apiKey: key };
}

export async function findAccount(db: Queryable, id: string): Promise<AccountRow | null> {
  const [account = null] = await queryRows<AccountRow>(db, {
    name: "account-find",
    text: "select id, name, status, created_at from accounts.accounts where id = $1",
    values: [id],
  });
  return account;
}

export async function findFirstAccount(db: Queryable): Promise<AccountRow | null> {
  const text = "select id, name, status, created_at from accounts.accounts order by id limit 1";
  const [account = null] = await queryRows<AccountRow>(db, { text });
  return account;
}

export interface AccountFilter {
  readonly status?: readonly AccountStatus[] | undefined;
  /** Part of the name, in any case, or an id. */
  readonly q?: string | undefined;
}

const CONDITIONS = {
  status: (at: string) => `status = any (${at}::text[])`,
  q: (at: string) =>
    `(position(lower(${at}::text) in lower(name)) > 0 or id::text = lower(${at}::text))`,
} as const satisfies FilterConditions<AccountFilter>;

interface AccountList {
  readonly range: IdRange;
  readonly filter: AccountFilter;
  /** By name in any case, of which the accounts are few enough to be sorted; by id unless given. */
  readonly byName?: KeyOrder | undefined;
}

const BY_NAME = {
  table: "accounts.accounts",
  alias: "a",
  key: (row: string) => `lower(${row}.name)`,
};

function pageOf({ range, filter, byName }: AccountList): PageStatement {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const conditions = conditionsOf<AccountFilter>(CONDITIONS, filter, bind);
  const { beyond, order } =
    byName === undefined
      ? { beyond: [], order: `a.id ${range.direction}` }
      : pageByKey(BY_NAME, byName, bind);
  const rows = `select a.id, a.name, a.status, a.created_at from accounts.accounts a
      where ${["a.id > $1", "a.id < $2", ...conditions, ...beyond].join(" and ")}`;
  return { rows, order, limit: "$3", values };
}

/** Accounts in a range of ids that match every given filter, in scan order. */
export async function listAccounts(db: Queryable, list: AccountList): Promise<AccountRow[]> {
  const page = pageOf(list);
  return queryRows(db, { text: pageText(page), values: page.values });
}

export async function countAccounts(db: Queryable, list: AccountList): Promise<Total> {
  return countRows(db, pageOf(list));
}

interface Renamed {
  readonly account: AccountRow;
  readonly previousName: string;
}

const RENAME = `with earlier as (
    select id, name from accounts.accounts where id = $1 for no key update
  )
  update accounts.accounts a set name = $2 from earlier where a.id = earlier.id
  returning a.id, a.name, a.status, a.created_at, earlier.name as previous_name`;

/** Null if there is no such account. */
export async function renameAccount(
  tx: Queryable,
  id: string,
  name: string,
): Promise<Renamed | null> {
  const [row] = await queryRows<AccountRow & { previous_name: string }>(tx, {
    name: "account-rename",
    text: RENAME,
    values: [id, name],
  });
  if (row === undefined) return null;
  const { previous_name: previousName, ...account } = row;
  return { account, previousName };
}

/** A suspension ends the account's portal sessions for good: the links may be with people outside of it. */
const SET_STATUS = `with earlier as (
    select id, status from accounts.accounts where id = $1 for no key update
  ), ended as (
    update accounts.portal_sessions set ended_at = clock_timestamp()
    where account_id = $1 and $2 = 'suspended' and ended_at is null
  )
  update accounts.accounts a set status = $2 from earlier where a.id = earlier.id
  returning a.id, a.name, a.status, a.created_at, earlier.status as previous_status`;

interface StatusChange {
  readonly account: AccountRow;
  readonly previousStatus: AccountStatus;
}

/** Suspends or reinstates an account; a repeat changes nothing. Null if there is no such account. */
export async function setAccountStatus(
  tx: Queryable,
  id: string,
  status: AccountStatus,
): Promise<StatusChange | null> {
  const [row] = await queryRows<AccountRow & { previous_status: AccountStatus }>(tx, {
    name: "account-set-status",
    text: SET_STATUS,
    values: [id, status],
  });
  if (row === undefined) return null;
  const { previous_status: previousStatus, ...account } = row;
  return { account, previousStatus };
}

/** Whether there is an account with the id. */
export async function isAccount(db: Queryable, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    name: "account-exists",
    text: "select from accounts.accounts where id = $1",
    values: [id],
  });
  return rows.length > 0;
}
