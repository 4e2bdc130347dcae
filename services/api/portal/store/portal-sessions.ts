import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PortalSession } from "../portal-session.ts";

const COLUMNS = "id, order_id, created_at, expires_at, opened_at, ended_at";

export interface NewPortalSession extends Pick<
  PortalSession,
  "id" | "order_id" | "created_at" | "expires_at"
> {
  readonly accountId: string;
  readonly keyId: string;
  readonly linkHash: Buffer;
}

/** Whether the account has so many links that are neither expired nor ended; 0 for no limit. */
export async function hasManyLinks(
  db: Queryable,
  accountId: string,
  { at, most }: { readonly at: Date; readonly most: number },
): Promise<boolean> {
  if (most === 0) return false;
  const rows = await queryRows(db, {
    name: "portal-links-many",
    text: `select from accounts.portal_sessions
      where account_id = $1 and expires_at > $2 and ended_at is null offset $3 limit 1`,
    values: [accountId, at, most - 1],
  });
  return rows.length > 0;
}

export async function insertPortalSession(db: Queryable, session: NewPortalSession): Promise<void> {
  const { id, accountId, keyId, order_id, linkHash, created_at, expires_at } = session;
  await queryRows(db, {
    name: "portal-session-insert",
    text: `insert into accounts.portal_sessions
      (id, account_id, api_key_id, order_id, link_hash, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, accountId, keyId, order_id, linkHash, created_at, expires_at],
  });
}

export interface PortalSessionList {
  readonly accountId: string;
  readonly range: IdRange;
}

/** An account's portal sessions in a range of ids, in scan order. */
export async function listPortalSessions(
  db: Queryable,
  { accountId, range }: PortalSessionList,
): Promise<PortalSession[]> {
  return queryRows<PortalSession & Record<string, unknown>>(db, {
    name: `portal-sessions-${range.direction}`,
    text: `select ${COLUMNS} from accounts.portal_sessions
      where account_id = $1 and id > $2 and id < $3 order by id ${range.direction} limit $4`,
    values: [accountId, range.above, range.below, range.fetch],
  });
}

export async function hasPortalSession(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await queryRows(db, {
    name: "portal-session-exists",
    text: "select from accounts.portal_sessions where account_id = $1 and id = $2",
    values: [accountId, id],
  });
  return rows.length > 0;
}

export interface EndOfSession {
  readonly id: string;
  readonly at: Date;
}

/** Ends a session with its cookies; whether it was open until now. */
export async function endPortalSession(
  tx: Queryable,
  accountId: string,
  { id, at }: EndOfSession,
): Promise<boolean> {
  const rows = await queryRows(tx, {
    name: "portal-session-end",
    text: `with ended as (
        update accounts.portal_sessions set ended_at = $3
        where account_id = $1 and id = $2 and ended_at is null returning id
      ), gone as (
        delete from accounts.portal_cookies where session_id in (select id from ended)
      )
      select id from ended`,
    values: [accountId, id, at],
  });
  return rows.length > 0;
}

/** Deletes up to `limit` sessions that expired before; returns how many. Their cookies go with them. */
export async function forgetPortalSessions(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from accounts.portal_sessions where id in (
        select id from accounts.portal_sessions where expires_at < $1 limit $2) returning id`,
    values: [before, limit],
  });
  return rows.length;
}
