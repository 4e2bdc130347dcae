import type { MigrationInterface, QueryRunner } from "typeorm";

/** The order of a dead letter: the one that its value names, where that could be read, else the one that is its key. */
export class OrdersOfDeadLetters1700000000101 implements MigrationInterface {
  name = "OrdersOfDeadLetters1700000000101";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// A key is bytes of any kind, and some clients write UUIDs in capitals. Services find orders by the same expression.
const ORDER = `coalesce(order_id, case when length(key) = 36
  and encode(key, 'escape') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then encode(key, 'escape')::uuid end)`;

// The indexes by key stay for processes of the version before.
const UP = `
alter table messaging.dead_letters add column order_id uuid;
create index dead_letters_of_order on messaging.dead_letters ((${ORDER}));
create index dead_letters_parked_order on messaging.dead_letters ((${ORDER}), created_at) where state = 'parked';
`;

const DOWN = `
drop index messaging.dead_letters_parked_order;
drop index messaging.dead_letters_of_order;
alter table messaging.dead_letters drop column order_id;
`;
