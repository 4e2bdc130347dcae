import type { MigrationInterface, QueryRunner } from "typeorm";

/** Finds deliveries by what their last attempt failed with, of an account and of all. */
export class DeliveryFailures1700000000213 implements MigrationInterface {
  name = "DeliveryFailures1700000000213";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "drop index webhooks.deliveries_failure_code, webhooks.deliveries_any_failure_code",
    );
  }
}

const LAST_CODE = `coalesce(attempt_log -> -1 ->> 'response_code', attempt_log -> -1 -> 'error' ->> 'code')`;

// A delivery that succeeds at once is never in these. An attempt that fails changes an indexed column anyway.
const INDEXES = `
create index deliveries_failure_code on webhooks.deliveries (account_id, (${LAST_CODE}), id)
  where status in ('retrying', 'failed', 'skipped', 'cancelled') and ${LAST_CODE} is not null;
create index deliveries_any_failure_code on webhooks.deliveries ((${LAST_CODE}), id)
  where status in ('retrying', 'failed', 'skipped', 'cancelled') and ${LAST_CODE} is not null;
`;
