import type { MigrationInterface, QueryRunner } from "typeorm";

/** The wrong PINs given for a number, and until when it refuses port-outs because of them. */
export class WrongPins1700000000048 implements MigrationInterface {
  name = "WrongPins1700000000048";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- When each of the last day's wrong PINs was given; at most as many as lock the number.
alter table orders.numbers
  add column wrong_pins timestamptz[] not null default '{}',
  add column pin_locked_until timestamptz;
`;

const DOWN = `
alter table orders.numbers drop column wrong_pins, drop column pin_locked_until;
`;
