import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which order brought in each number of a port-out: its events go where that order's do. */
export class OrdersOfPortOuts1700000000112 implements MigrationInterface {
  name = "OrdersOfPortOuts1700000000112";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.port_out_numbers drop column porting_order_id");
  }
}

const UP = `
alter table orders.port_out_numbers add column porting_order_id uuid;

update orders.port_out_numbers p set porting_order_id = n.porting_order_id
from orders.numbers n where n.account_id = p.account_id and n.phone_number = p.phone_number;
`;
