import type { MigrationInterface, QueryRunner } from "typeorm";

/** The rate limits' token buckets, shared by the processes of the API. Unlogged: a crash refills every bucket. */
export class RateLimits1700000000021 implements MigrationInterface {
  name = "RateLimits1700000000021";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.rate_buckets");
  }
}

const UP = `
create unlogged table messaging.rate_buckets (
  owner text primary key,
  tokens double precision not null,
  filled_at timestamptz not null
) with (fillfactor = 50);
create index rate_buckets_age on messaging.rate_buckets (filled_at);
`;
