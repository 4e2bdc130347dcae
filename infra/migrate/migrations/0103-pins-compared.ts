import type { MigrationInterface, QueryRunner } from "typeorm";

/** A keyed hash of the PIN of a port-out update, so that a repeat with another PIN is recognized. */
export class PinsCompared1700000000103 implements MigrationInterface {
  name = "PinsCompared1700000000103";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "alter table carriers.port_out_updates add column pin_mac bytea, add column pin_mac_key text",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "alter table carriers.port_out_updates drop column pin_mac, drop column pin_mac_key",
    );
  }
}
