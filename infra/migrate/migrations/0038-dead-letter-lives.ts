import type { MigrationInterface, QueryRunner } from "typeorm";

/** A topic that was deleted and created again counts from 0: an offset alone does not identify a message. */
export class DeadLetterLives1700000000038 implements MigrationInterface {
  name = "DeadLetterLives1700000000038";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- When the record was stamped, in epoch milliseconds; null in rows from before.
alter table messaging.dead_letters add column kafka_timestamp bigint;
alter table messaging.dead_letters
  drop constraint dead_letters_topic_kafka_partition_kafka_offset_consumer_key;
create unique index dead_letters_record on messaging.dead_letters
  (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, md5(value)) nulls not distinct;
`;

const DOWN = `
drop index messaging.dead_letters_record;
alter table messaging.dead_letters
  add constraint dead_letters_topic_kafka_partition_kafka_offset_consumer_key
  unique (topic, kafka_partition, kafka_offset, consumer);
alter table messaging.dead_letters drop column kafka_timestamp;
`;
