import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which partitions a reader has begun with and not got on with, so that no record ends its readers for ever. */
export class ReadAttempts1700000000110 implements MigrationInterface {
  name = "ReadAttempts1700000000110";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.read_attempts");
  }
}

// A row while the first batch of a partition is handled after each assignment: nobody else writes it, and few rows exist.
const UP = `
create table messaging.read_attempts (
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  readers integer not null default 1,
  kafka_offset bigint,
  attempts integer not null default 0,
  waits_for text,
  since timestamptz not null default now(),
  primary key (consumer, topic, kafka_partition)
)`;
