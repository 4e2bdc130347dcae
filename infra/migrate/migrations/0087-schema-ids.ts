import type { MigrationInterface, QueryRunner } from "typeorm";

/** The ids that the schema registry gave to the messages' schemas: with them a service starts while the registry is away. */
export class SchemaIds1700000000087 implements MigrationInterface {
  name = "SchemaIds1700000000087";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.schema_ids");
  }
}

const UP = `
create table messaging.schema_ids (
  subject text not null,
  text_hash bytea not null,
  id integer not null,
  primary key (subject, text_hash)
);
`;
