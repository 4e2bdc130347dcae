import { hashKey } from "../../domain/account/rules/api-key.ts";
import type { Clock } from "../../platform/clock.ts";
import type { IdRange } from "../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";

/** A portal session as its account sees it. */
export interface PortalSession {
  readonly id: string;
  readonly order_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly opened_at: Date | null;
  readonly ended_at: Date | null;
}

/** A link that was presented, with what decides whether it still opens. */
export interface PresentedLink extends PortalSession {
  readonly account_id: string;
  readonly api_key_id: string;
  readonly account_name: string;
  readonly is_suspended: boolean;
  readonly is_key_revoked: boolean;
}

const COLUMNS = "id, order_id, created_at, expires_at, opened_at, ended_at";

interface NewPortalSession extends Pick<
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

interface PortalSessionList {
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

interface EndOfSession {
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
async function forgetPortalSessions(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from accounts.portal_sessions where id in (
        select id from accounts.portal_sessions where expires_at < $1 limit $2) returning id`,
    values: [before, limit],
  });
  return rows.length;
}

/** The session of a link, locked so that a link to the account opens once; null for a link that is none of ours. */
export async function takeLink(tx: Queryable, link: string): Promise<PresentedLink | null> {
  const [row] = await queryRows<PresentedLink & Record<string, unknown>>(tx, {
    name: "portal-link-take",
    text: `select s.id, s.account_id, s.api_key_id, s.order_id, s.created_at, s.expires_at,
        s.opened_at, s.ended_at, a.name as account_name, a.status = 'suspended' as is_suspended,
        k.revoked_at is not null as is_key_revoked
      from accounts.portal_sessions s
      join accounts.accounts a on a.id = s.account_id
      join accounts.api_keys k on k.id = s.api_key_id
      where s.link_hash = $1 for no key update of s`,
    values: [hashKey(link)],
  });
  return row ?? null;
}

interface NewCookie {
  readonly sessionId: string;
  readonly hash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** How many browsers an order's link may have open; the oldest makes room. */
const MAX_BROWSERS = 20;

/** Marks the link as opened and lets a browser in. */
export async function openSession(tx: Queryable, cookie: NewCookie): Promise<void> {
  const { sessionId, hash, at, expiresAt } = cookie;
  await queryRows(tx, {
    name: "portal-session-open",
    text: `with opened as (
        update accounts.portal_sessions set opened_at = coalesce(opened_at, $3) where id = $1
      ), room as (
        delete from accounts.portal_cookies where cookie_hash in (
          select cookie_hash from accounts.portal_cookies where session_id = $1
          order by created_at desc offset ${MAX_BROWSERS - 1})
      )
      insert into accounts.portal_cookies (cookie_hash, session_id, created_at, expires_at)
      values ($2, $1, $3, $4)`,
    values: [sessionId, hash, at, expiresAt],
  });
}

/** Who a cookie stands for. */
export interface CookieHolder {
  readonly session_id: string;
  readonly order_id: string | null;
  readonly account_id: string;
  readonly api_key_id: string;
  readonly account_name: string;
  readonly expires_at: Date;
  readonly is_suspended: boolean;
}

/** The holder of a suspended account's ended session is still found, so that the refusal names the suspension. */
const FIND_HOLDERS = `select c.cookie_hash, c.session_id, s.order_id, s.account_id, s.api_key_id,
    a.name as account_name, c.expires_at, a.status = 'suspended' as is_suspended
  from accounts.portal_cookies c
  join accounts.portal_sessions s on s.id = c.session_id
  join accounts.api_keys k on k.id = s.api_key_id
  join accounts.accounts a on a.id = s.account_id
  where c.cookie_hash = any ($1::bytea[]) and c.expires_at > $2 and k.revoked_at is null
    and (s.ended_at is null or a.status = 'suspended')`;

/** The holders of those cookies that are valid at a time, by cookie. */
export async function findCookieHolders(
  db: Queryable,
  cookies: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, CookieHolder>> {
  const hashes = [...new Set(cookies)].map((cookie) => ({ cookie, hash: hashKey(cookie) }));
  const rows = await queryRows<CookieHolder & { cookie_hash: Buffer }>(db, {
    name: "portal-cookie-holders",
    text: FIND_HOLDERS,
    values: [hashes.map(({ hash }) => hash), at],
  });
  const holders = new Map(rows.map((row) => [row.cookie_hash.toString("hex"), row]));
  return new Map(
    hashes.flatMap(({ cookie, hash }) => {
      const holder = holders.get(hash.toString("hex"));
      return holder === undefined ? [] : [[cookie, holder]];
    }),
  );
}

/** Signs a browser out. */
export async function deleteCookie(db: Queryable, cookie: string): Promise<void> {
  await queryRows(db, {
    name: "portal-cookie-delete",
    text: "delete from accounts.portal_cookies where cookie_hash = $1",
    values: [hashKey(cookie)],
  });
}

/** Deletes up to `limit` cookies that have expired; returns how many. */
async function forgetCookies(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from accounts.portal_cookies where cookie_hash in (
        select cookie_hash from accounts.portal_cookies where expires_at < $1 limit $2)
      returning session_id`,
    values: [before, limit],
  });
  return rows.length;
}

const FORGET_EVERY_MS = 3_600_000;
const RETAINED_MS = 30 * 86_400_000;
const FORGOTTEN_AT_ONCE = 1_000;

interface ForgetOptions {
  readonly pool: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Deletes cookies that have expired, and sessions 30 days after they did. */
export function startForgettingSessions({ pool, clock, log }: ForgetOptions): Periodic {
  return startPeriodic({
    name: "expired portal sessions",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      const now = clock.now();
      while ((await forgetCookies(pool, now, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
      const before = new Date(now.getTime() - RETAINED_MS);
      while ((await forgetPortalSessions(pool, before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
    },
    log,
  });
}
