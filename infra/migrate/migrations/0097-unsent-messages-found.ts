import type { MigrationInterface, QueryRunner } from "typeorm";

/** What waits already is unsent, and the desk's health finds it there. */
export class UnsentMessagesFound1700000000097 implements MigrationInterface {
  name = "UnsentMessagesFound1700000000097";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FOUND);
    await runner.query(storedHealth(IN_UNSENT_MESSAGES));
    await runner.query(deskHealth(IN_UNSENT_MESSAGES));
  }

  /** As 0014 and 0089 made them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(storedHealth(IN_OUTBOX));
    await runner.query(deskHealth(IN_OUTBOX));
  }
}

// Behind the migration that makes the triggers: what was written since is there. A relay that marks one of these rows
// waits until they are here, so that its mark finds them.
const FOUND = `
insert into messaging.unsent_messages (id, day, shard)
  select o.id, o.day, o.shard from messaging.outbox o where o.sent_at is null for share
  on conflict do nothing;
`;

export const IN_UNSENT_MESSAGES = `'outbox_depth', (select count(*) from (
      select from messaging.unsent_messages limit 100000) o),
    'outbox_oldest_at', (select o.created_at from messaging.unsent_messages u
      join messaging.outbox o on o.id = u.id and o.day = u.day order by u.id limit 1)`;

const IN_OUTBOX = `'outbox_depth', (select count(*) from (
      select from messaging.outbox where sent_at is null limit 100000) o),
    'outbox_oldest_at', (select created_at from messaging.outbox
      where sent_at is null order by id limit 1)`;

/** As in 0089, but for where what waits is found. */
export function storedHealth(waiting: string): string {
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
    select d.id, d.created_at, d.account_id, d.url from webhooks.deliveries d
    join accounts.accounts a on a.id = d.account_id and a.status = 'active'
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  ), oldest as (
    select w.id, w.created_at, w.account_id, w.url from waiting w order by w.created_at limit 1
  )
  select jsonb_build_object(
    ${waiting},
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

/** As in 0014, but for where what waits is found. */
export function deskHealth(waiting: string): string {
  return `
create or replace function messaging.desk_health() returns jsonb
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
    ${waiting},
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', id, 'created_at', created_at)
      from waiting order by created_at limit 1),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', provider,
      'last_word_at', received_at, 'porting_order_id', order_id) order by provider) from said), '[]')
  )
$$;
`;
}
