import type { MigrationInterface, QueryRunner } from "typeorm";

/** Drops a foreign key: a new order writes a dozen requirement rows in the statement that writes the order itself. */
export class RequirementRows1700000000009 implements MigrationInterface {
  name = "RequirementRows1700000000009";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table orders.requirements drop constraint requirements_order_id_fkey`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table orders.requirements add foreign key (order_id) references orders.porting_orders (id)`,
    );
  }
}
