import type { MigrationInterface, QueryRunner } from "typeorm";

/** The orders under review alone, so that counting the open cases does not read every order. */
export class OrdersUnderReview1700000000084 implements MigrationInterface {
  name = "OrdersUnderReview1700000000084";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.porting_orders_under_review");
  }
}

const UP = `
create index porting_orders_under_review on orders.porting_orders (id) include (review_attempt)
  where status in ('in_review');
`;
