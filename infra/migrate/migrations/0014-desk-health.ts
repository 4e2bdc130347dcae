import type { MigrationInterface, QueryRunner } from "typeorm";

/** A function that reports the service's health to the desk, whose role may not read these tables. */
export class DeskHealth1700000000014 implements MigrationInterface {
  name = "DeskHealth1700000000014";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
create index updates_of_provider on carriers.updates (provider, received_at desc);

-- Counts stop at 100,000, and the oldest delivery is sought among the 10,000 that are longest due: a great backlog
-- must not be made worse by looking at it.
create function messaging.desk_health() returns jsonb
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
  ), waiting as (
    select d.id, d.created_at from webhooks.deliveries d
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  )
  select jsonb_build_object(
    'outbox_depth', (select count(*) from (
      select from messaging.outbox where sent_at is null limit 100000) o),
    'outbox_oldest_at', (select created_at from messaging.outbox
      where sent_at is null order by id limit 1),
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', id, 'created_at', created_at)
      from waiting order by created_at limit 1),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', provider,
      'last_word_at', received_at, 'porting_order_id', order_id) order by provider) from said), '[]')
  )
$$;
`;

const DOWN = `
drop function messaging.desk_health;
drop index carriers.updates_of_provider;
`;
