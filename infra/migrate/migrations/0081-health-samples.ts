import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk's health with an hour of samples, whom the oldest delivery is for, and the counts of an account. */
export class HealthSamples1700000000081 implements MigrationInterface {
  name = "HealthSamples1700000000081";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// As messaging.desk_health (0014), which a desk of the release before still calls, counts stop at 100,000 and the
// oldest delivery is sought among the 10,000 that are longest due.
const UP = `
-- A row a minute. The process that inserts it measures; status and measures follow.
create table messaging.health_samples (
  minute timestamptz primary key,
  status text check (status in ('ok', 'slow', 'stuck')),
  measures jsonb
);

create index porting_orders_unacknowledged on orders.porting_orders (provider, updated_at)
  where status = 'submitted';

create function messaging.stored_health() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with recursive named (provider) as (
    (select u.provider from carriers.updates u order by u.provider limit 1)
    union all
    select (select u.provider from carriers.updates u where u.provider > n.provider order by u.provider limit 1)
    from named n where n.provider is not null
  ), said as (
    select n.provider, w.received_at, w.order_id
    from named n cross join lateral (
      select u.received_at, u.order_id from carriers.updates u
      where u.provider = n.provider order by u.received_at desc limit 1) w
    where n.provider is not null
  ), unanswered as (
    select o.provider, min(o.updated_at) as since from orders.porting_orders o
    where o.status = 'submitted' group by o.provider
  ), waiting as (
    select d.id, d.created_at, d.account_id, d.url from webhooks.deliveries d
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  ), oldest as (
    select w.id, w.created_at, w.account_id, w.url from waiting w order by w.created_at limit 1
  )
  select jsonb_build_object(
    'outbox_depth', (select count(*) from (
      select from messaging.outbox where sent_at is null limit 100000) o),
    'outbox_oldest_at', (select created_at from messaging.outbox
      where sent_at is null order by id limit 1),
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', o.id, 'created_at', o.created_at, 'url', o.url,
        'account', jsonb_build_object('id', a.id, 'name', a.name))
      from oldest o join accounts.accounts a on a.id = o.account_id),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', coalesce(s.provider, u.provider),
        'last_word_at', s.received_at, 'porting_order_id', s.order_id, 'waiting_since', u.since))
      from said s full join unanswered u on u.provider = s.provider), '[]')
  )
$$;

-- The webhooks of an account in numbers, for the desk, whose role may not read these tables.
create function webhooks.account_counts(of_account uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'webhook_endpoints', count(*),
    'paused_webhook_endpoints', count(*) filter (where e.paused_by is not null),
    'waiting_deliveries', (select count(*) from (
      select from webhooks.deliveries d
      where d.account_id = of_account and d.status in ('pending', 'retrying') limit 10000) w)
  )
  from webhooks.endpoints e where e.account_id = of_account and e.deleted_at is null
$$;
`;

const DOWN = `
drop function webhooks.account_counts;
drop function messaging.stored_health;
drop index orders.porting_orders_unacknowledged;
drop table messaging.health_samples;
`;
