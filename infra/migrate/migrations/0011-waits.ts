import type { MigrationInterface, QueryRunner } from "typeorm";

/** A deadline has a due date or the start of a wait, whose length is a setting of the deployment. */
export class Waits1700000000011 implements MigrationInterface {
  name = "Waits1700000000011";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table orders.deadlines add column since timestamptz;
alter table orders.deadlines alter column due_at drop not null;
alter table orders.deadlines add check ((due_at is null) <> (since is null));
create index deadlines_by_kind on orders.deadlines (kind, coalesce(due_at, since));
drop index orders.deadlines_due;

insert into orders.deadlines (kind, subject_id, since)
  select case status when 'draft' then 'draft_expiry' when 'rejection' then 'rejection_expiry'
      when 'foc_scheduled' then 'foc_grace' else 'carrier_silence' end,
    id::text, case status when 'foc_scheduled' then foc_actual::timestamptz else updated_at end
  from orders.porting_orders
  where deleted_at is null and (status in ('draft', 'rejection', 'submitted', 'cancel_pending')
    or (status = 'foc_scheduled' and foc_actual is not null));
`;

const DOWN = `
delete from orders.deadlines where due_at is null;
drop index orders.deadlines_by_kind;
alter table orders.deadlines drop column since;
alter table orders.deadlines alter column due_at set not null;
create index deadlines_due on orders.deadlines (due_at);
`;
