import type { MigrationInterface, QueryRunner } from "typeorm";

/** Documents that customers upload or sign; the storage backend has the files under the same ids. */
export class Documents1700000000008 implements MigrationInterface {
  name = "Documents1700000000008";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table orders.documents");
  }
}

const UP = `
create table orders.documents (
  id uuid primary key,
  account_id uuid not null,
  order_id uuid not null references orders.porting_orders (id),
  slug text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null check (length(sha256) = 64),
  created_at timestamptz not null
);
create index documents_list on orders.documents (account_id, id);
create index documents_of_order on orders.documents (order_id, id);
`;
