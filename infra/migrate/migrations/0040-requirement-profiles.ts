import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * An order's requirements are stored once for all orders with the same ones; a requirement gets a row when it is
 * first written. A process of an earlier version fails on such orders instead of treating them as without requirements.
 */
export class RequirementProfiles1700000000040 implements MigrationInterface {
  name = "RequirementProfiles1700000000040";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- The items in the order in which they are asked for: slug, field_type, mandatory, max_age_days. Never changed: orders
-- keep what was asked of them when the catalogue moves on.
create table orders.requirement_profiles (
  id uuid primary key,
  items jsonb not null
);

-- Of the content, so that the same is kept once.
create function orders.requirement_profile_id(items jsonb) returns uuid
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select encode(substr(sha256(convert_to(items::text, 'UTF8')), 1, 16), 'hex')::uuid
$$;

create temporary table asked on commit drop as
  select o.id as order_id, coalesce(
      (select jsonb_agg(jsonb_build_object('slug', r.slug, 'field_type', r.field_type, 'mandatory', r.mandatory,
          'max_age_days', r.max_age_days) order by r.position)
        from orders.requirements r where r.order_id = o.id), '[]') as items
  from orders.porting_orders o;
insert into orders.requirement_profiles (id, items)
  select orders.requirement_profile_id(items), items from (select distinct items from asked) one;

-- No foreign key: each new order would lock the one row that all of its kind name, and no profile is ever deleted.
alter table orders.porting_orders add column requirement_profile_id uuid;
update orders.porting_orders o set requirement_profile_id = orders.requirement_profile_id(a.items)
  from asked a where a.order_id = o.id;
alter table orders.porting_orders alter column requirement_profile_id set not null;

alter table orders.requirements
  drop column position, drop column field_type, drop column mandatory, drop column max_age_days;
`;

const DOWN = `
alter table orders.requirements
  add column position smallint, add column field_type text, add column mandatory boolean, add column max_age_days integer;
insert into orders.requirements (order_id, slug, position, field_type, mandatory, max_age_days)
  select o.id, i.item->>'slug', i.nth - 1, i.item->>'field_type', (i.item->>'mandatory')::boolean,
    (i.item->>'max_age_days')::integer
  from orders.porting_orders o
  join orders.requirement_profiles p on p.id = o.requirement_profile_id
  cross join jsonb_array_elements(p.items) with ordinality i (item, nth)
  on conflict (order_id, slug) do update set position = excluded.position, field_type = excluded.field_type,
    mandatory = excluded.mandatory, max_age_days = excluded.max_age_days;
alter table orders.requirements
  alter column position set not null, alter column field_type set not null, alter column mandatory set not null,
  add check (field_type in ('document', 'text', 'address', 'date', 'choice'));
alter table orders.porting_orders drop column requirement_profile_id;
drop function orders.requirement_profile_id;
drop table orders.requirement_profiles;
`;
