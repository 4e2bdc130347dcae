import type { MigrationInterface, QueryRunner } from "typeorm";

/** Comments and timeline entries about the service's own plumbing are for the desk alone. */
export class InternalEntries1700000000056 implements MigrationInterface {
  name = "InternalEntries1700000000056";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table orders.comments add column internal boolean not null default false;
alter table orders.timeline add column internal boolean not null default false;

-- The two wordings that comments on unknown statuses have had.
update orders.comments set internal = true
where author_type = 'system'
  and (body like 'The carrier''s status is unknown and changed nothing: %'
    or body like 'The carrier''s status is not known and moved nothing: %');
update orders.timeline set internal = true
where (kind = 'ignored' and data ? 'dead_letter')
  or (kind = 'ignored' and jsonb_typeof(data -> 'kind') = 'null')
  or (kind = 'comment' and data ->> 'author_type' = 'system'
    and (data ->> 'body' like 'The carrier''s status is unknown and changed nothing: %'
      or data ->> 'body' like 'The carrier''s status is not known and moved nothing: %'));
`;

const DOWN = `
alter table orders.timeline drop column internal;
alter table orders.comments drop column internal;
`;
