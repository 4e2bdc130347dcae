import type { MigrationInterface, QueryRunner } from "typeorm";

/** An index for all accounts that ever had a number, instead of a scan over every number of the platform. */
export class NumberHistory1700000000041 implements MigrationInterface {
  name = "NumberHistory1700000000041";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create index numbers_history on orders.numbers (phone_number)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.numbers_history");
  }
}
