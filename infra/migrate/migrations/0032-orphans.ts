import type { MigrationInterface, QueryRunner } from "typeorm";

/** Messages on the topics that a restored database does not know. */
export class Orphans1700000000032 implements MigrationInterface {
  name = "Orphans1700000000032";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.orphans");
  }
}

const UP = `
-- One row per message whose cause was lost with the database that this one replaces. \`told\`: an event that
-- webhook-sender had handled there.
create table messaging.orphans (
  topic text not null,
  message_id uuid not null,
  kafka_partition integer not null,
  kafka_offset bigint not null,
  account_id uuid,
  order_id uuid,
  event_type text,
  told boolean not null,
  noted_at timestamptz not null default now(),
  primary key (topic, message_id)
);
`;
