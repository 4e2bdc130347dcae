import type { MigrationInterface, QueryRunner } from "typeorm";

/** What waits for the desk's answer, and the texts that operators reject with. */
export class DeskAlerts1700000000214 implements MigrationInterface {
  name = "DeskAlerts1700000000214";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WAITING);
    await runner.query(TEXTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table orders.waiting_comments");
    await runner.query("drop table accounts.rejection_texts");
  }
}

const WAITING = `
-- The orders whose customer has written what the desk has neither answered nor called seen.
create table orders.waiting_comments (
  order_id uuid primary key references orders.porting_orders (id) on delete cascade,
  -- Of the first such comment, and the last.
  since timestamptz not null,
  last_id uuid not null
);
insert into orders.waiting_comments (order_id, since, last_id)
select c.order_id, min(c.created_at), (max(c.id::text))::uuid
from orders.porting_orders o join orders.comments c on c.order_id = o.id
where o.closed_at is null and o.deleted_at is null and c.author_type = 'customer'
  and not exists (select from orders.comments r where r.order_id = o.id and r.author_type = 'ops' and r.id > c.id)
group by c.order_id;
`;

const TEXTS = `
create table accounts.rejection_texts (
  id uuid primary key,
  operator_id uuid not null references accounts.operators (id),
  -- The requirement that it rejects, and by which code, if any.
  slug text not null,
  code text,
  text text not null,
  created_at timestamptz not null
);
create unique index rejection_texts_once on accounts.rejection_texts (operator_id, slug, text);
`;
