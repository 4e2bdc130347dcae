import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes by which the desk finds orders of all accounts, whatever it filters by. */
export class DeskOrderSearch1700000000077 implements MigrationInterface {
  name = "DeskOrderSearch1700000000077";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
create index porting_orders_any_status on orders.porting_orders (status, id) where deleted_at is null;
create index porting_orders_any_provider on orders.porting_orders (provider, id) where deleted_at is null;
create index porting_orders_any_carrier on orders.porting_orders (losing_carrier, id) where deleted_at is null;
create index porting_orders_any_country on orders.porting_orders (country_code, id) where deleted_at is null;
create index porting_orders_any_batch on orders.porting_orders (batch_id, id) where deleted_at is null;
create index porting_orders_any_reference on orders.porting_orders (lower(customer_reference), id)
  where customer_reference <> '' and deleted_at is null;
-- The planner ignores the statistics of a partial index, and would sort all orders of a frequent reference.
create statistics orders.porting_orders_references on (lower(customer_reference)) from orders.porting_orders;
create index porting_orders_any_foc on orders.porting_orders (orders.instant_of(foc_actual), id)
  where deleted_at is null and foc_actual is not null;
create index porting_orders_attention on orders.porting_orders (id)
  where attention is not null and deleted_at is null;

-- A number is found by its last digits: those are its first ones in reverse.
create index order_numbers_ending on orders.order_numbers (reverse(phone_number) text_pattern_ops, order_id);

-- Keys of other lengths are not ids, and may be too long for an index.
create index dead_letters_parked_key on messaging.dead_letters (key, created_at)
  where state = 'parked' and length(key) = 36;
`;

const DOWN = `
drop index messaging.dead_letters_parked_key;
drop index orders.order_numbers_ending;
drop index orders.porting_orders_attention;
drop index orders.porting_orders_any_foc;
drop statistics orders.porting_orders_references;
drop index orders.porting_orders_any_reference;
drop index orders.porting_orders_any_batch;
drop index orders.porting_orders_any_country;
drop index orders.porting_orders_any_carrier;
drop index orders.porting_orders_any_provider;
drop index orders.porting_orders_any_status;
`;
