import type { MigrationInterface, QueryRunner } from "typeorm";

/** URLs as a parser writes them, beside those that were given: an order's is compared with its account's endpoints. */
export class ComparableUrls1700000000113 implements MigrationInterface {
  name = "ComparableUrls1700000000113";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// Of what exists, the usual differences: case of scheme and host, default port, no path. What a release before writes
// has none, and is compared as it was given.
const written = (table: string): string => `
alter table ${table} add column href text;

update ${table} t set href = lower(p.scheme) || '://'
  || regexp_replace(lower(p.host), case lower(p.scheme) when 'https' then ':443$' else ':80$' end, '')
  || case when p.rest = '' or p.rest like '?%' then '/' else '' end || p.rest
from (
  select u.url, m[1] as scheme, m[2] as host, m[3] as rest
  from ${table} u cross join regexp_match(u.url, '^(https?)://([^/?#]+)(.*)$', 'i') m
) p
where p.url = t.url;
`;

const UP = written("webhooks.endpoints") + written("webhooks.order_destinations");

const DOWN = `
alter table webhooks.order_destinations drop column href;
alter table webhooks.endpoints drop column href;
`;
