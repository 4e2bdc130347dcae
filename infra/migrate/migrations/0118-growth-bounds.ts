import type { MigrationInterface, QueryRunner } from "typeorm";

/** What bounds the growth of an account: how many numbers it discarded, recovered events and kept large answers of a day. */
export class GrowthBounds1700000000118 implements MigrationInterface {
  name = "GrowthBounds1700000000118";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// The numbers that a request named, whatever is taken out of the order later; null: created by a release before.
const UP = `
alter table orders.porting_orders add column created_numbers smallint;
create index porting_orders_discarded on orders.porting_orders (account_id, created_at) include (created_numbers)
  where deleted_at is not null or closed_by = 'customer';
create index porting_orders_deleted on orders.porting_orders (deleted_at) where deleted_at is not null;

create index recoveries_of_account on webhooks.recoveries (account_id, created_at);

create index idempotent_replies_large on messaging.idempotent_replies (owner, created_at)
  where octet_length(body) > 16384;
`;

const DOWN = `
drop index messaging.idempotent_replies_large;
drop index webhooks.recoveries_of_account;
drop index orders.porting_orders_deleted;
drop index orders.porting_orders_discarded;
alter table orders.porting_orders drop column created_numbers;
`;
