import type { MigrationInterface, QueryRunner } from "typeorm";

/** Messages that were handled long ago need no inbox row: no topic has them any more. */
export class InboxRetention1700000000039 implements MigrationInterface {
  name = "InboxRetention1700000000039";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// The fan-out's rows are kept: porting.events is kept for ever, and recoveries check which events were handled.
const UP = `
create index inbox_received on messaging.inbox (received_at) where consumer <> 'webhook-sender';

-- Deletes some of the rows that consumers other than the fan-out wrote before the instant, and says how many: no more
-- when that is 0. What the reconciler has yet to look at stays.
create function messaging.forget_handled(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  unreconciled timestamptz;
  deleted integer;
begin
  select o.created_at into unreconciled from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1;
  with old as materialized (
    select i.message_id, i.consumer from messaging.inbox i
    where i.consumer <> 'webhook-sender' and i.received_at < least(before, unreconciled)
    order by i.received_at limit 5000 for update skip locked
  )
  delete from messaging.inbox i using old
  where i.message_id = old.message_id and i.consumer = old.consumer;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
`;

const DOWN = `
drop function messaging.forget_handled;
drop index messaging.inbox_received;
`;
