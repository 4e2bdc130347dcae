import { recordset, recordsetValue, type Columns } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { DeskNotice } from "../../domain/notice/rules/notice-kinds.ts";
import type { MailedNotice } from "../notices/compose-mail.ts";
import type { Notice } from "../notices/notice-of-event.ts";

const NOTICE = {
  key: "text",
  account_id: "uuid",
  kind: "text",
  facts: "jsonb",
} as const satisfies Columns;

export interface Pace {
  readonly now: Date;
  /** The least time between two mails to one address. */
  readonly intervalMs: number;
}

/** When the next mail to a recipient may be made: what comes before that goes into it. */
const dueAt = (accountId: string): string => `greatest($2::timestamptz, (
    select max(m.mailed_at) from webhooks.notices m
    where m.recipient = r.email and m.account_id is not distinct from ${accountId}
  ) + $3 * interval '1 millisecond')`;

const ADD = `insert into webhooks.notices (key, recipient, account_id, kind, facts, created_at, next_attempt_at)
  select u.key, r.email, u.account_id, u.kind, u.facts, $2, ${dueAt("u.account_id")}
  from ${recordset("$1", NOTICE)}
  join accounts.accounts a on a.id = u.account_id and a.status = 'active'
  join accounts.notice_settings s on s.account_id = u.account_id and u.kind <> all (s.kinds_off)
  cross join unnest(s.emails) r (email)
  on conflict do nothing`;

/** Notices for the addresses of their accounts, each once; without addresses there are none. */
export async function addNotices(
  db: Queryable,
  notices: readonly Notice[],
  { now, intervalMs }: Pace,
): Promise<void> {
  if (notices.length === 0) return;
  await queryRows(db, {
    name: "notices-add",
    text: ADD,
    values: [recordsetValue(NOTICE, notices), now, intervalMs],
  });
}

const ADD_DESK = `insert into webhooks.notices (key, recipient, account_id, kind, facts, created_at, next_attempt_at)
  select d.key, r.email, null, d.kind, d.facts, $2, ${dueAt("null")}
  from reviews.desk_alerts($2::timestamptz - interval '1 day', $2) d cross join unnest($1::text[]) r (email)
  where d.kind = any ($4)
  on conflict do nothing`;

/** Notices for the desk's addresses of what has become overdue within a day, each once. */
export async function addDeskNotices(
  db: Queryable,
  { emails, kinds }: { readonly emails: readonly string[]; readonly kinds: readonly DeskNotice[] },
  { now, intervalMs }: Pace,
): Promise<void> {
  await queryRows(db, {
    name: "notices-add-desk",
    text: ADD_DESK,
    values: [emails, now, intervalMs, kinds],
  });
}

/** The notices that go into one mail. */
export interface ClaimedMail {
  readonly mail_id: string;
  readonly recipient: string;
  readonly account_id: string | null;
  readonly attempts: number;
  readonly total: number;
  /** The first ones. */
  readonly notices: readonly MailedNotice[];
}

// One process claims at a time: two that begin with different notices of one recipient would wait for each other.
const CLAIM = `with free as materialized (
    select pg_try_advisory_xact_lock(hashtext('webhooks.notices')) as is_free
  ), head as materialized (
    select n.key, n.recipient, n.account_id, n.mail_id from webhooks.notices n
    where n.next_attempt_at <= $1 and n.created_at >= $4 and (select is_free from free)
    order by n.next_attempt_at limit 1 for update
  ), taken as (
    update webhooks.notices n set mail_id = coalesce(h.mail_id, md5(h.key || ' ' || h.recipient)::uuid),
      mailed_at = $1, next_attempt_at = $1 + $2 * interval '1 millisecond', attempts = n.attempts + 1
    from head h
    where n.recipient = h.recipient and n.account_id is not distinct from h.account_id
      and n.mail_id is not distinct from h.mail_id and n.next_attempt_at is not null and n.created_at >= $4
    returning n.*
  ), numbered as (
    select t.*, row_number() over (order by t.created_at, t.key) as n, count(*) over () as total from taken t
  )
  select mail_id, recipient, account_id, max(attempts) as attempts, max(total)::integer as total,
    jsonb_agg(jsonb_build_object('kind', kind, 'facts', facts) order by n) filter (where n <= $3) as notices
  from numbered group by mail_id, recipient, account_id`;

interface Claim {
  readonly now: Date;
  readonly leaseMs: number;
  /** How many notices a mail names. */
  readonly named: number;
  /** Older ones are given up. */
  readonly since: Date;
}

/** Makes a mail of all that waits for a recipient, or takes again one whose lease has ended. Null where nothing is due. */
export async function claimMail(
  db: Queryable,
  { now, leaseMs, named, since }: Claim,
): Promise<ClaimedMail | null> {
  const [mail = null] = await queryRows<ClaimedMail>(db, {
    name: "notices-claim",
    text: CLAIM,
    values: [now, leaseMs, named, since],
  });
  return mail;
}

/** The notices of the mail are sent, or given up. */
export async function endMail(db: Queryable, mailId: string, sentAt: Date | null): Promise<void> {
  await queryRows(db, {
    name: "notices-end",
    text: `update webhooks.notices set next_attempt_at = null, sent_at = $2
      where mail_id = $1 and next_attempt_at is not null`,
    values: [mailId, sentAt],
  });
}

interface Retry {
  readonly now: Date;
  readonly waitMs: number;
  /** Whether the mail was certainly not accepted: then its notices go into the next one. */
  readonly isReleased: boolean;
}

export async function retryMail(
  db: Queryable,
  mailId: string,
  { now, waitMs, isReleased }: Retry,
): Promise<void> {
  await queryRows(db, {
    name: "notices-retry",
    text: `update webhooks.notices set mail_id = case when $4 then null else mail_id end,
        next_attempt_at = $2::timestamptz + $3 * interval '1 millisecond'
      where mail_id = $1 and next_attempt_at is not null`,
    values: [mailId, now, waitMs, isReleased],
  });
}

interface Forgotten {
  readonly waitingSince: Date;
  readonly endedSince: Date;
}

/** Deletes notices that waited, or have ended, since before a time. */
export async function forgetNotices(
  db: Queryable,
  { waitingSince, endedSince }: Forgotten,
): Promise<void> {
  await queryRows(db, {
    name: "notices-forget",
    text: `delete from webhooks.notices
      where created_at < $2 or (next_attempt_at is not null and created_at < $1)`,
    values: [waitingSince, endedSince],
  });
}
