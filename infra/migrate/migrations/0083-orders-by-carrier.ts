import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes by which orders are found by their losing carrier in any case, of one account and of all. */
export class OrdersByCarrier1700000000083 implements MigrationInterface {
  name = "OrdersByCarrier1700000000083";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- porting_orders_carrier, of names as they were written, stays for processes of the version before.
create index porting_orders_carrier_name on orders.porting_orders (account_id, lower(btrim(losing_carrier)), id)
  where deleted_at is null;
create index porting_orders_any_carrier_name on orders.porting_orders (lower(btrim(losing_carrier)), id)
  where deleted_at is null;
-- The planner ignores the statistics of a partial index, and would sort all orders of a frequent carrier.
create statistics orders.porting_orders_carrier_names on (lower(btrim(losing_carrier))) from orders.porting_orders;
`;

const DOWN = `
drop statistics orders.porting_orders_carrier_names;
drop index orders.porting_orders_any_carrier_name;
drop index orders.porting_orders_carrier_name;
`;
