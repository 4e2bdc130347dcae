import type { MigrationInterface, QueryRunner } from "typeorm";

/** The mark of the primary, by which a replica shows that it follows this one and not the one before a failover. */
export class PrimaryMark1700000000090 implements MigrationInterface {
  name = "PrimaryMark1700000000090";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
create table messaging.primary_server (
  is_only boolean primary key default true check (is_only),
  mark uuid not null,
  started_at timestamptz not null,
  timeline text not null
);

-- The mark of the server that is asked; null on one in recovery, and on one that was started, or promoted, after the
-- mark was made: from there on its log may be another than that of the server which made it.
create function messaging.primary_mark() returns uuid language sql as $$
  select p.mark from messaging.primary_server p
  where p.started_at = pg_postmaster_start_time()
    and case when pg_is_in_recovery() then false
      else p.timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8) end
$$;

-- The mark of this primary, which is made where there is none.
create function messaging.mark_primary() returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  current_mark uuid := messaging.primary_mark();
begin
  if current_mark is null then
    insert into messaging.primary_server as p (mark, started_at, timeline)
      values (gen_random_uuid(), pg_postmaster_start_time(), left(pg_walfile_name(pg_current_wal_lsn()), 8))
      on conflict (is_only) do update
        set mark = excluded.mark, started_at = excluded.started_at, timeline = excluded.timeline
        where (p.started_at, p.timeline) is distinct from (excluded.started_at, excluded.timeline);
    current_mark := messaging.primary_mark();
  end if;
  return current_mark;
end
$$;
`;

const DOWN = `
drop function messaging.mark_primary();
drop function messaging.primary_mark();
drop table messaging.primary_server;
`;
