import type { MigrationInterface, QueryRunner } from "typeorm";

/** What each schema id has stood for: a registry that is set up anew may give it to another schema. */
export class KnownSchemas1700000000119 implements MigrationInterface {
  name = "KnownSchemas1700000000119";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.known_schemas");
  }
}

const UP = `
create table messaging.known_schemas (
  subject text not null,
  id integer not null,
  text_hash bytea not null,
  primary key (subject, id)
);
insert into messaging.known_schemas (subject, id, text_hash)
  select distinct on (subject, id) subject, id, text_hash from messaging.schema_ids order by subject, id;
`;
