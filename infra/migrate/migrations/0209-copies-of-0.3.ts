import type { MigrationInterface, QueryRunner } from "typeorm";

/** What copies of 0.3 that run on during an upgrade still write to. The release after 0.4 drops it. */
export class CopiesOfTheReleaseBefore1700000000209 implements MigrationInterface {
  name = "CopiesOfTheReleaseBefore1700000000209";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FOR_COPIES_OF_0_3);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// What its senders begin is put among all other deliveries, where they find what they had under way, and the sweep what
// they would attempt at once: so begun_deliveries stays empty.
export const FOR_COPIES_OF_0_3 = `
create table if not exists webhooks.begun_deliveries (
  created_at timestamptz not null,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  id uuid primary key,
  account_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  order_id uuid,
  event_type text not null,
  url text not null,
  traceparent text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create or replace function webhooks.keep_begun() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, status, next_attempt_at)
  values (new.id, new.created_at, new.account_id, new.event_id, new.event_type, new.created_at, new.event_id, 'event',
    new.endpoint_id, new.endpoint_id, new.order_id, new.url, new.traceparent, 'pending', new.claimed_at);
  return null;
end
$$;
create or replace trigger begun_deliveries_kept before insert on webhooks.begun_deliveries
  for each row execute function webhooks.keep_begun();

-- Kept what a sender that ended had begun; there is none now.
create or replace function webhooks.keep_ended_at(endpoint uuid, at timestamptz) returns void
language sql as 'select';

alter table messaging.outbox add column if not exists shard smallint not null default 0;
`;

const DOWN = `
drop function webhooks.keep_ended_at;
drop trigger begun_deliveries_kept on webhooks.begun_deliveries;
drop function webhooks.keep_begun;
drop table webhooks.begun_deliveries;
alter table messaging.outbox drop column shard;
`;
