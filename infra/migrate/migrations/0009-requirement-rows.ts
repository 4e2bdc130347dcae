import type { MigrationInterface, QueryRunner } from "typeorm";

/** A new order writes a dozen requirement rows beside its own in one statement: no check of each against the other. */
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
