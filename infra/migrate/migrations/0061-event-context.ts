import type { MigrationInterface, QueryRunner } from "typeorm";

/** What an event's envelope tells analysts is kept beside its bytes, and the log can be read in the order of storing. */
export class EventContext1700000000061 implements MigrationInterface {
  name = "EventContext1700000000061";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
    await runner.query(storeFunction({ withContext: true }));
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
    await runner.query(storeFunction({ withContext: false }));
  }
}

// A process of an earlier version calls the function without contexts.
const COLUMN = `
alter table events.log add column context jsonb;
drop function events.store(uuid[], uuid[], text[], uuid[], text[], integer[], timestamptz[], bytea[]);
`;

// All events of a batch share stored_at, so that its index is small. The other two leave nearly every event out.
const INDEXES = `
create index log_stored on events.log (stored_at);
create index log_rejections on events.log (created_at) where context ? 'rejection';
create index log_calls on events.log (created_at)
  where type in ('call.forwarded', 'call.completed', 'call.missed');
`;

const DOWN = `
drop index events.log_calls;
drop index events.log_rejections;
drop index events.log_stored;
drop function events.store(uuid[], uuid[], text[], uuid[], text[], integer[], timestamptz[], bytea[], text[]);
alter table events.log drop column context;
`;

const BEGINNING = `language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
-- Look-ups by key whatever the planner believes of a log that was empty when it planned.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  touched uuid[];
  stored integer;
begin
  select array_agg(distinct u.account_id) into touched
    from unnest(ids, accounts, times) u (id, account_id, at)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at);
  if touched is null then
    return 0;
  end if;
  insert into events.feed_counters (account_id)
    select a from unnest(touched) a order by a on conflict do nothing;
  perform from events.feed_counters c where c.account_id = any (touched) order by c.account_id for update;
`;

/** events.store as in 0031; with contexts, it also fills that column. */
function storeFunction({ withContext }: { readonly withContext: boolean }): string {
  const [parameter, array, name, column, value] = withContext
    ? [
        ", contexts text[] default null",
        ", contexts",
        ", context",
        ", context",
        ", f.context::jsonb",
      ]
    : ["", "", "", "", ""];
  return `
create function events.store(ids uuid[], accounts uuid[], types text[], orders uuid[], keys text[],
  sequences integer[], times timestamptz[], bodies bytea[]${parameter}) returns integer
${BEGINNING}  with fresh as (
    select u.*, row_number() over feed as n, max(u.at) over feed as latest
    from unnest(ids, accounts, types, orders, keys, sequences, times, bodies${array})
      with ordinality u (id, account_id, type, order_id, sequence_key, order_sequence, at, body${name}, nth)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at)
    window feed as (partition by u.account_id order by u.nth)
  ), inserted as (
    insert into events.log (id, account_id, seq, type, order_id, sequence_key, order_sequence,
      created_at, body, reached${column})
    select f.id, f.account_id, c.last_seq + f.n, f.type, f.order_id, f.sequence_key,
      f.order_sequence, f.at, f.body, greatest(c.reached, f.latest)${value}
    from fresh f join events.feed_counters c using (account_id)
    returning account_id, created_at
  ), counted as (
    update events.feed_counters c
    set last_seq = c.last_seq + i.n, reached = greatest(c.reached, i.latest)
    from (select account_id, count(*) as n, max(created_at) as latest from inserted group by account_id) i
    where c.account_id = i.account_id
    returning i.n
  )
  select coalesce(sum(n), 0) into stored from counted;
  return stored;
end
$$;
`;
}
