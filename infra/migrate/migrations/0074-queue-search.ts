import type { MigrationInterface, QueryRunner } from "typeorm";

/** The queue is counted, filtered and searched among 50,000 open cases and the numbers of all orders. */
export class QueueSearch1700000000074 implements MigrationInterface {
  name = "QueueSearch1700000000074";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// The search by last digits of a number reads its reverse from the left.
const UP = `
create index if not exists order_numbers_reversed on orders.order_numbers (reverse(phone_number) text_pattern_ops);
`;

const DOWN = `
drop index if exists orders.order_numbers_reversed;
`;
