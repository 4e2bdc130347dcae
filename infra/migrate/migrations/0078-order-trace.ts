import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk traces an order's messages: they are found by their key. */
export class OrderTrace1700000000078 implements MigrationInterface {
  name = "OrderTrace1700000000078";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// Keys of other lengths are not ids, and may be too long for an index.
const UP = `
create index outbox_of_key on messaging.outbox (key) where length(key) = 36;
create index dead_letters_of_key on messaging.dead_letters (key) where length(key) = 36;
create index updates_of_order on carriers.updates (order_id) where order_id is not null;
`;

const DOWN = `
drop index carriers.updates_of_order;
drop index messaging.dead_letters_of_key;
drop index messaging.outbox_of_key;
`;
