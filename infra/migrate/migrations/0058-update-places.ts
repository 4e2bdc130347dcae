import type { MigrationInterface, QueryRunner } from "typeorm";

/** Where a carrier's message lay: the same message, delivered again, has its receipt already. */
export class UpdatePlaces1700000000058 implements MigrationInterface {
  name = "UpdatePlaces1700000000058";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table carriers.updates add column source_partition integer, add column source_offset bigint;
alter table carriers.port_out_updates
  add column source_partition integer, add column source_offset bigint;
`;

const DOWN = `
alter table carriers.port_out_updates drop column source_partition, drop column source_offset;
alter table carriers.updates drop column source_partition, drop column source_offset;
`;
