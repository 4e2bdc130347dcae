import type { MigrationInterface, QueryRunner } from "typeorm";

/** Finds the port-outs by which numbers left although they had been rejected: the desk is alerted of them. */
export class LeftAgainstRejections1700000000219 implements MigrationInterface {
  name = "LeftAgainstRejections1700000000219";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index port_outs_against on orders.port_outs (updated_at)
        where status = 'ported_out' and decision ->> 'code' is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.port_outs_against");
  }
}
