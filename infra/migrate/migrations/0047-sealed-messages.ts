import type { MigrationInterface, QueryRunner } from "typeorm";

/** Values of messages that carry account numbers and PINs are sealed; null where a value is not. */
export class SealedMessages1700000000047 implements MigrationInterface {
  name = "SealedMessages1700000000047";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table messaging.outbox add column sealed_key_id text;
create index outbox_sealed on messaging.outbox (day, id) where sealed_key_id is not null;

alter table messaging.dead_letters add column sealed_key_id text;
-- Sealing gives different bytes each time, so that the index over the bytes does not find a repeat.
create unique index dead_letters_sealed_record on messaging.dead_letters
  (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, message_id) nulls not distinct
  where sealed_key_id is not null;
`;

const DOWN = `
drop index messaging.dead_letters_sealed_record;
alter table messaging.dead_letters drop column sealed_key_id;
drop index messaging.outbox_sealed;
alter table messaging.outbox drop column sealed_key_id;
`;
