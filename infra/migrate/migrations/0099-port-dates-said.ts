import type { MigrationInterface, QueryRunner } from "typeorm";

/** When the carrier said the port date of an order, so that a date that was said before it moves nothing. */
export class PortDatesSaid1700000000099 implements MigrationInterface {
  name = "PortDatesSaid1700000000099";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.porting_orders add column foc_said_at timestamptz");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.porting_orders drop column foc_said_at");
  }
}
