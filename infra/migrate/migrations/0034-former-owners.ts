import type { MigrationInterface, QueryRunner } from "typeorm";

/** Former owners of numbers: a call that is read after its number has left goes to the account that had it then. */
export class FormerOwners1700000000034 implements MigrationInterface {
  name = "FormerOwners1700000000034";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table orders.former_owners");
  }
}

const UP = `
-- One row per number and account that lost it, written with the loss. \`until\` is the platform's own time of it.
create table orders.former_owners (
  phone_number text not null,
  until timestamptz not null,
  account_id uuid not null,
  porting_order_id uuid,
  since timestamptz not null,
  primary key (phone_number, until, account_id)
);
`;
