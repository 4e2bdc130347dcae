import type { MigrationInterface, QueryRunner } from "typeorm";

/** The audit log also has what customers do with their keys, and what the system does by itself. */
export class AuditActors1700000000049 implements MigrationInterface {
  name = "AuditActors1700000000049";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table accounts.audit_log
  add column actor_type text not null default 'operator'
    check (actor_type in ('operator', 'customer', 'system')),
  -- The key by which a customer acted.
  add column api_key_id uuid;
`;

const DOWN = `
alter table accounts.audit_log drop column api_key_id, drop column actor_type;
`;
