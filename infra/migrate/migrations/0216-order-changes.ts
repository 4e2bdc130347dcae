import type { MigrationInterface, QueryRunner } from "typeorm";

/** What customers ask their carriers to change after an order was submitted: at most 20 an order, each with its outcome. */
export class OrderChanges1700000000216 implements MigrationInterface {
  name = "OrderChanges1700000000216";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "alter table orders.porting_orders add column changes jsonb not null default '[]'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.porting_orders drop column changes");
  }
}
