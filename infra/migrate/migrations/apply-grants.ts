import type { QueryRunner } from "typeorm";
import { constraintOf } from "../../../services/platform/db/database-fault.ts";
import { GRANTS, ROLES, type Grantees, type Role } from "./grants.ts";

/**
 * Creates the roles where they are missing and grants them the rights of `GRANTS`, revoking from them, and from
 * `public`, all others on our schemas, and temporary tables and large objects. Writes nothing if the rights are correct
 * already. The caller holds the migrations' lock, and has checked that the login can create or assume the roles.
 */
export async function applyGrants(runner: QueryRunner): Promise<void> {
  for (const role of ROLES) await ensureRole(runner, role);
  await runner.query(LET_REPLICATE);
  const wanted = new Map(wantedGrants().map((grant) => [keyOf(grant), grant]));
  await runner.startTransaction();
  try {
    const found = await readGrants(runner);
    const held = new Set(found.map(keyOf));
    for (const grant of found) {
      if (!wanted.has(keyOf(grant)))
        await runner.query(`revoke ${rightOf(grant)} from ${grant.grantee}`);
    }
    for (const [key, grant] of wanted) {
      if (!held.has(key)) await runner.query(`grant ${rightOf(grant)} to ${grant.grantee}`);
    }
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/** Where this login may let it; who may not was checked before. */
const LET_REPLICATE = `do $$ begin
  if exists (select from pg_roles r where r.rolname = 'porting_outbox_relay' and not r.rolreplication)
      and exists (select from pg_roles u where u.rolname = current_user
        and (u.rolsuper or (u.rolcreaterole and u.rolreplication))) then
    alter role porting_outbox_relay replication;
  end if;
exception when insufficient_privilege or object_in_use then null;
end $$`;

/** One right of one grantee, which is a role or `public`. */
interface Grant {
  readonly kind: string;
  readonly object: string;
  readonly privilege: string;
  readonly grantee: string;
}

function rightOf({ kind, object, privilege }: Grant): string {
  return `${privilege} on ${kind} ${object}`;
}

function keyOf(grant: Grant): string {
  return `${rightOf(grant)} to ${grant.grantee}`;
}

function schemaOf(object: string): string {
  return object.slice(0, object.indexOf("."));
}

const OBJECTS: readonly (readonly [kind: string, object: string, grantees: Grantees])[] =
  Object.entries(GRANTS).flatMap(([kind, objects]) =>
    Object.entries<Grantees>(objects).map(
      ([object, grantees]) => [kind, object, grantees] as const,
    ),
  );

/** Adds `usage` of a schema for every grantee of one of its objects. */
function wantedGrants(): Grant[] {
  return OBJECTS.flatMap(([kind, object, grantees]) =>
    Object.entries(grantees).flatMap(([grantee, privileges]) => [
      { kind: "schema", object: schemaOf(object), privilege: "usage", grantee },
      ...privileges.map((privilege) => ({ kind, object, privilege, grantee })),
    ]),
  );
}

/**
 * The default grants of functions are included: `public` may call a function until that is revoked. So are temporary
 * tables and large objects, by which a login that may only read could fill the disk, where this login may revoke them.
 */
const FOUND = `with grantees (oid, name) as (
    select oid, rolname from pg_roles where rolname = any ($1::text[]) union all select 0, 'public'
  ), spaces as (
    select oid, nspname, nspacl from pg_namespace where nspname = any ($2::text[])
  ), tables as (
    select c.oid, c.relacl, case c.relkind when 'S' then 'sequence' else 'table' end as kind,
      format('%I.%I', s.nspname, c.relname) as object
    from pg_class c join spaces s on s.oid = c.relnamespace
  ), found (kind, object, acl, target) as (
    select 'schema', format('%I', nspname), nspacl, '' from spaces
    union all
    select kind, object, relacl, '' from tables
    union all
    select kind, object, attacl, format(' (%I)', attname) from tables join pg_attribute on attrelid = oid
    union all
    select 'function', format('%I.%I', s.nspname, p.proname), coalesce(p.proacl, acldefault('f', p.proowner)), ''
    from pg_proc p join spaces s on s.oid = p.pronamespace
    union all
    select 'function', oid::regprocedure::text, coalesce(proacl, acldefault('f', proowner)), ''
    from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^lo(_|read$|write$)'
      and pg_has_role(proowner, 'usage')
    union all
    select 'database', format('%I', datname), coalesce(datacl, acldefault('d', datdba)), ''
    from pg_database where datname = current_database() and pg_has_role(datdba, 'usage')
  )
  select f.kind, f.object, lower(a.privilege_type) || f.target as privilege, g.name as grantee
  from found f cross join lateral aclexplode(f.acl) a join grantees g on g.oid = a.grantee
  where f.kind <> 'database' or a.privilege_type = 'TEMPORARY'`;

async function readGrants(runner: QueryRunner): Promise<Grant[]> {
  const schemas = [...new Set(OBJECTS.map(([, object]) => schemaOf(object)))];
  return (await runner.query(FOUND, [ROLES, schemas])) as Grant[];
}

const ALREADY_CREATED = new Set(["42710", "23505"]);

/** Roles belong to the server, so another database's migration may create the same one at the same time. */
async function ensureRole(runner: QueryRunner, role: Role): Promise<void> {
  if ((await findRole(runner, role)) === null) await createRole(runner, role);
  // A superuser may assume every role.
  if ((await findRole(runner, role))?.is_ours !== true) {
    await runner.query(`grant ${role} to current_user`);
  }
}

async function createRole(runner: QueryRunner, role: Role): Promise<void> {
  try {
    await runner.query(`create role ${role} nologin`);
  } catch (error) {
    if (!ALREADY_CREATED.has(constraintOf(error)?.state ?? "")) throw error;
  }
}

interface FoundRole {
  readonly is_ours: boolean;
}

async function findRole(runner: QueryRunner, role: Role): Promise<FoundRole | null> {
  const text = `select pg_has_role(oid, 'SET') as is_ours from pg_roles where rolname = $1`;
  const [found] = (await runner.query(text, [role])) as FoundRole[];
  return found ?? null;
}
