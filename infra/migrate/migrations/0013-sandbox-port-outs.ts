import type { MigrationInterface, QueryRunner } from "typeorm";

/** Port-outs that the sandbox requested, so that their completion or cancellation repeats the request's data. */
export class SandboxPortOuts1700000000013 implements MigrationInterface {
  name = "SandboxPortOuts1700000000013";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table carriers.sandbox_port_outs");
  }
}

const UP = `
create table carriers.sandbox_port_outs (
  port_out_ref uuid primary key,
  phone_numbers text[] not null,
  gaining_carrier text not null,
  requested_foc text not null,
  created_at timestamptz not null
);
`;
