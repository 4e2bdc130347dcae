import { hashKey } from "../../../domain/account/rules/api-key.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PresentedLink } from "../portal-session.ts";

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

export interface NewCookie {
  readonly sessionId: string;
  readonly hash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** How many browsers an order's link may have open; the oldest makes room. */
const MAX_COOKIES = 20;

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
          order by created_at desc offset ${MAX_COOKIES - 1})
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
export async function forgetCookies(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from accounts.portal_cookies where cookie_hash in (
        select cookie_hash from accounts.portal_cookies where expires_at < $1 limit $2)
      returning session_id`,
    values: [before, limit],
  });
  return rows.length;
}
