import type { MigrationInterface, QueryRunner } from "typeorm";
import { deskHealth, IN_UNSENT_MESSAGES, storedHealth } from "./0097-unsent-messages-found.ts";

/** The desk's health reads the oldest unsent message without passing what was sent. */
export class OldestUnsent1700000000105 implements MigrationInterface {
  name = "OldestUnsent1700000000105";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(storedHealth(OLDEST_FIRST));
    await runner.query(deskHealth(OLDEST_FIRST));
  }

  /** As 0097 made them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(storedHealth(IN_UNSENT_MESSAGES));
    await runner.query(deskHealth(IN_UNSENT_MESSAGES));
  }
}

// Where the statistics are old, a plan of the join may begin with the outbox, all of it: so the join is with one row.
export const OLDEST_FIRST = `'outbox_depth', (select count(*) from (
      select from messaging.unsent_messages limit 100000) o),
    'outbox_oldest_at', (select o.created_at
      from (select u.id, u.day from messaging.unsent_messages u order by u.id limit 1) u
      join messaging.outbox o on o.id = u.id and o.day = u.day)`;
