import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk lists the port-outs that await a decision by their deadline. */
export class PortOutsByDeadline1700000000067 implements MigrationInterface {
  name = "PortOutsByDeadline1700000000067";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index port_outs_deadline on orders.port_outs (decision_deadline, id)
      where decision_deadline is not null and account_id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.port_outs_deadline");
  }
}
