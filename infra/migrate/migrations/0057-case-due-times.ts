import type { MigrationInterface, QueryRunner } from "typeorm";

/** The customers' API shows when the desk is due, and reads nothing else of the desk's cases. */
export class CaseDueTimes1700000000057 implements MigrationInterface {
  name = "CaseDueTimes1700000000057";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function reviews.case_due_at");
  }
}

const UP = `
create function reviews.case_due_at(of_order uuid, of_attempt integer) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.due_at from reviews.cases c
  where c.order_id = of_order and c.attempt = of_attempt and c.state = 'open'
$$;
`;
