import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes for the filters of the lists of orders and numbers, instead of scans over all of an account's. */
export class OrderFilters1700000000053 implements MigrationInterface {
  name = "OrderFilters1700000000053";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- Immutable, unlike the cast that it contains: dates of orders always have an offset, so no setting changes the result.
create function orders.instant_of(at text) returns timestamptz
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select at::timestamptz
$$;

create index porting_orders_foc on orders.porting_orders (account_id, orders.instant_of(foc_actual))
  where deleted_at is null and foc_actual is not null;
-- The planner ignores the statistics of a partial index, and would walk all orders for a few dates.
create statistics orders.porting_orders_foc_dates on (orders.instant_of(foc_actual)) from orders.porting_orders;
create index porting_orders_carrier on orders.porting_orders (account_id, losing_carrier, id) where deleted_at is null;
create index porting_orders_type on orders.porting_orders (account_id, number_type, id) where deleted_at is null;
create index numbers_of_order on orders.numbers (account_id, porting_order_id);
`;

const DOWN = `
drop index orders.numbers_of_order;
drop index orders.porting_orders_type;
drop index orders.porting_orders_carrier;
drop statistics orders.porting_orders_foc_dates;
drop index orders.porting_orders_foc;
drop function orders.instant_of(text);
`;
