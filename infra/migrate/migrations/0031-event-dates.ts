import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Lists of the log by date are ranges of the feed: each event has the latest time that its feed had reached with it,
 * which never decreases from one number to the next. Events that came late are found by an index of their own.
 */
export class EventDates1700000000031 implements MigrationInterface {
  name = "EventDates1700000000031";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(storeFunction("reached"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(storeFunction(null));
    await runner.query(`
      alter table events.log drop column reached;
      alter table events.feed_counters drop column reached;`);
  }
}

const COLUMNS = `
alter table events.feed_counters add column reached timestamptz not null default '-infinity';
alter table events.log add column reached timestamptz;

alter table events.log disable trigger log_rows;
with times as (
  select id, created_at,
    max(created_at) over (partition by account_id order by seq rows unbounded preceding) as reached
  from events.log
)
update events.log l set reached = t.reached from times t where l.id = t.id and l.created_at = t.created_at;
alter table events.log enable always trigger log_rows;

update events.feed_counters c set reached = l.reached
from (select account_id, max(created_at) as reached from events.log group by account_id) l
where l.account_id = c.account_id;

alter table events.log alter column reached set not null;
create index log_reached on events.log (account_id, reached, seq);
create index log_late on events.log (account_id, created_at, seq)
  where reached - created_at > interval '1 minute';
`;

/** events.store as in 0007 and 0030; with `reached`, it also fills that column. */
function storeFunction(column: "reached" | null): string {
  const filled = column !== null;
  return `
create or replace function events.store(ids uuid[], accounts uuid[], types text[], orders uuid[], keys text[],
  sequences integer[], times timestamptz[], bodies bytea[]) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
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
  with fresh as (
    select u.*, row_number() over feed as n${filled ? ", max(u.at) over feed as latest" : ""}
    from unnest(ids, accounts, types, orders, keys, sequences, times, bodies)
      with ordinality u (id, account_id, type, order_id, sequence_key, order_sequence, at, body, nth)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at)
    window feed as (partition by u.account_id order by u.nth)
  ), inserted as (
    insert into events.log (id, account_id, seq, type, order_id, sequence_key, order_sequence,
      created_at, body${filled ? ", reached" : ""})
    select f.id, f.account_id, c.last_seq + f.n, f.type, f.order_id, f.sequence_key,
      f.order_sequence, f.at, f.body${filled ? ", greatest(c.reached, f.latest)" : ""}
    from fresh f join events.feed_counters c using (account_id)
    returning account_id, created_at
  ), counted as (
    update events.feed_counters c
    set last_seq = c.last_seq + i.n${filled ? ", reached = greatest(c.reached, i.latest)" : ""}
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
