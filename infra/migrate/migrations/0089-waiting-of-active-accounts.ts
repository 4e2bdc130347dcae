import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk's health no longer counts what suspended accounts have waiting as undelivered. */
export class WaitingOfActiveAccounts1700000000089 implements MigrationInterface {
  name = "WaitingOfActiveAccounts1700000000089";

  async up(runner: QueryRunner): Promise<void> {
    const active = "join accounts.accounts a on a.id = d.account_id and a.status = 'active'";
    await runner.query(storedHealth(active));
  }

  /** As 0081 made it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(storedHealth(""));
  }
}

function storedHealth(joined: string): string {
  return `
create or replace function messaging.stored_health() returns jsonb
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
    select d.id, d.created_at, d.account_id, d.url from webhooks.deliveries d ${joined}
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
`;
}
