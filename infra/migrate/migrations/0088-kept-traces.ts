import type { MigrationInterface, QueryRunner } from "typeorm";

/** What is done long after its cause keeps the cause's trace: attempts of webhooks, and checks of documents. */
export class KeptTraces1700000000088 implements MigrationInterface {
  name = "KeptTraces1700000000088";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- Null where the trace is not sampled.
alter table webhooks.deliveries add column traceparent text;
alter table reviews.document_checks add column traceparent text;
`;

const DOWN = `
alter table reviews.document_checks drop column traceparent;
alter table webhooks.deliveries drop column traceparent;
`;
