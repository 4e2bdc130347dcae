import type { MigrationInterface, QueryRunner } from "typeorm";

/** How often sent messages became unsent again, so that the relay looks for them below those of a refused topic. */
export class UnsentAgain1700000000104 implements MigrationInterface {
  name = "UnsentAgain1700000000104";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "alter table messaging.reconciliation add column unsent_again bigint not null default 0",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table messaging.reconciliation drop column unsent_again");
  }
}
