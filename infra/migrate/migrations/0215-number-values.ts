import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Where each number of an order has a value of its own, such as a RIO, it stands beside its requirement under a key of its
 * own, sealed, copied and compared like every other: nothing is moved, and orders of before keep their one value.
 */
export class NumberValues1700000000215 implements MigrationInterface {
  name = "NumberValues1700000000215";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `comment on column ${table}.slug is 'of a number''s own value followed by the number: rio_code+33612345678'`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`comment on column ${table}.slug is null`);
  }
}

const TABLES = ["orders.requirements", "reviews.case_values"];
