import type { MigrationInterface, QueryRunner } from "typeorm";

/** The audit log is filtered by action alone, too, and a rare one must not be looked for in the whole log. */
export class AuditByAction1700000000072 implements MigrationInterface {
  name = "AuditByAction1700000000072";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create index audit_log_action on accounts.audit_log (action, id)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index accounts.audit_log_action");
  }
}
