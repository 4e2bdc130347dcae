import type { MigrationInterface, QueryRunner } from "typeorm";

/** The checksum of every migration that this database has run, by which a change to its text is noticed. */
export class MigrationChecksums1700000000085 implements MigrationInterface {
  name = "MigrationChecksums1700000000085";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.migration_checksums");
  }
}

const UP = `
create table messaging.migration_checksums (
  name text primary key,
  checksum text not null,
  recorded_at timestamptz not null default now()
);
`;
