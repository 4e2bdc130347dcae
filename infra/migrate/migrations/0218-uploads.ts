import type { MigrationInterface, QueryRunner } from "typeorm";

/** Documents that an account sends before its orders, which get copies of them. */
export class Uploads1700000000218 implements MigrationInterface {
  name = "Uploads1700000000218";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UPLOADS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("delete from orders.documents where order_id is null");
    await runner.query("alter table orders.documents alter order_id set not null");
    await runner.query("alter table orders.documents drop document_date, drop used_at");
  }
}

const UPLOADS = `
alter table orders.documents alter order_id drop not null,
  -- Of those without an order alone: what was sent with it, and when the last order got a copy.
  add document_date timestamptz,
  add used_at timestamptz;
create index documents_unused on orders.documents (used_at) where order_id is null;
`;
