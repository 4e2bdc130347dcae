import type { MigrationInterface, QueryRunner } from "typeorm";

/** An index for the orders of one country, instead of a scan over all of an account's. */
export class OrdersByCountry1700000000022 implements MigrationInterface {
  name = "OrdersByCountry1700000000022";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index porting_orders_country on orders.porting_orders (account_id, country_code, id)
      where deleted_at is null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.porting_orders_country");
  }
}
