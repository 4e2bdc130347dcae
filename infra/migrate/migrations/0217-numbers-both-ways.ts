import type { MigrationInterface, QueryRunner } from "typeorm";

/** Numbers from elsewhere and back, what a port-out's requester states, and settings that wait for a number to be live. */
export class NumbersBothWays1700000000217 implements MigrationInterface {
  name = "NumbersBothWays1700000000217";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NUMBERS);
    await runner.query(REQUESTERS);
    await runner.query(CONFIGURATIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop index orders.numbers_imported");
    await runner.query(
      "alter table orders.numbers drop column released, drop column configuration",
    );
    await runner.query(
      "alter table carriers.port_out_requests drop column requester, drop column requester_key_id",
    );
    await runner.query("alter table orders.porting_orders drop column number_configuration");
    await runner.query(
      "alter table orders.order_numbers drop column port_out_pin, drop column port_out_pin_key_id",
    );
  }
}

const NUMBERS = `
-- Why a number left without a port-out ({reason, at, note}); its status is then ported_out, as the version before knows it.
alter table orders.numbers add column released jsonb;
-- What it is set to beside forwarding, lock and PIN: {tags, connection_ref, messaging_ref, emergency_address_ref}.
alter table orders.numbers add column configuration jsonb not null default '{}';
-- By its last digits: numbers of no order are not in the index of order_numbers.
create index numbers_imported on orders.numbers (reverse(phone_number) text_pattern_ops)
  where porting_order_id is null;
`;

const REQUESTERS = `
-- What the gaining carrier states of its customer, encrypted; null where nothing is.
alter table carriers.port_out_requests add column requester bytea, add column requester_key_id text;
`;

const CONFIGURATIONS = `
-- How its numbers are set as they become active: {default, numbers}, without the PINs, which are bound to each number.
alter table orders.porting_orders add column number_configuration jsonb;
alter table orders.order_numbers add column port_out_pin bytea, add column port_out_pin_key_id text;
`;
