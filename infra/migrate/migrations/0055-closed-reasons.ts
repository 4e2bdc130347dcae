import type { MigrationInterface, QueryRunner } from "typeorm";

/** Why an order ended; null for those that ended before it was kept. */
export class ClosedReasons1700000000055 implements MigrationInterface {
  name = "ClosedReasons1700000000055";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.porting_orders add column closed_reason jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.porting_orders drop column closed_reason");
  }
}
