import type { MigrationInterface, QueryRunner } from "typeorm";

/** Operators have roles. Those that exist could do everything, so they are admins. */
export class OperatorRoles1700000000070 implements MigrationInterface {
  name = "OperatorRoles1700000000070";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table accounts.operators
      add column role text not null default 'admin',
      add column active boolean not null default true,
      add constraint operators_role check (role in ('viewer', 'reviewer', 'lead', 'admin'))`);
    await runner.query(`alter table accounts.operators alter column role drop default`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table accounts.operators drop column role, drop column active`);
  }
}
