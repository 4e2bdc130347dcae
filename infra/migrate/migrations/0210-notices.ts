import type { MigrationInterface, QueryRunner } from "typeorm";

/** Notices by mail: who gets an account's, and one row per notice and recipient. */
export class Notices1700000000210 implements MigrationInterface {
  name = "Notices1700000000210";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTINGS);
    await runner.query(NOTICES);
    await runner.query(DESK_ALERTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const SETTINGS = `
create table accounts.notice_settings (
  account_id uuid primary key references accounts.accounts (id),
  emails text[] not null default '{}',
  kinds_off text[] not null default '{}'
);
`;

const NOTICES = `
create table webhooks.notices (
  -- What the notice is about: an event, or a state with the time at which it was entered.
  key text not null,
  recipient text not null,
  -- Null: the desk's.
  account_id uuid,
  kind text not null,
  facts jsonb not null,
  created_at timestamptz not null,
  -- The mail that it is in, once one was made; also the Message-ID.
  mail_id uuid,
  mailed_at timestamptz,
  attempts integer not null default 0,
  -- Null once it was sent or given up.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  primary key (key, recipient)
);
create index notices_due on webhooks.notices (next_attempt_at) where next_attempt_at is not null;
create index notices_of_recipient on webhooks.notices (recipient, mailed_at);
create index notices_by_age on webhooks.notices (created_at);
`;

const DESK_ALERTS = `
-- The sender of notices reads nothing else of the desk's cases and of orders.
create function reviews.desk_alerts(since timestamptz, until timestamptz)
returns table (key text, kind text, facts jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  (select 'review_overdue:' || c.order_id || ':' || c.attempt, 'review_overdue',
      jsonb_build_object('order_id', c.order_id)
    from reviews.cases c where c.state = 'open' and c.due_at > since and c.due_at <= until
    order by c.due_at limit 1000)
  union all
  (select 'carrier_silent:' || o.id || ':' || (o.attention ->> 'raised_at'), 'carrier_silent',
      jsonb_build_object('order_id', o.id, 'reason', o.attention ->> 'reason')
    from orders.porting_orders o
    where o.attention is not null and o.deleted_at is null
      and (o.attention ->> 'raised_at')::timestamptz > since
    order by o.id limit 1000)
$$;
`;

const DOWN = `
drop function reviews.desk_alerts;
drop table webhooks.notices;
drop table accounts.notice_settings;
`;
