import { withConnection } from "../../../infra/local-stack/postgres.ts";

const RELATIONS = `relations as (
    select c.*, n.nspname, format('%I.%s', n.nspname,
      case when c.relispartition then regexp_replace(c.relname, '_[0-9]{6,8}', '_*') else c.relname end) as title
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^(pg_|information_schema$|public$)'
  )`;

/** In partitions, whose names and whose indexes' names are of their time, only what they are. */
const LINES = `with ${RELATIONS}, rights (title, acl) as (
    select nspname::text, nspacl from pg_namespace union all select title, relacl from relations
    union all select format('%s.%I', r.title, a.attname), a.attacl
      from relations r join pg_attribute a on a.attrelid = r.oid
    union all select p.oid::regprocedure::text, p.proacl
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  )
  select format('relation %s %s %s %s %s', title, relkind, relpersistence, reloptions, pg_get_partkeydef(oid)) as line
    from relations where relkind in ('r', 'p', 'v', 'S')
  union select format('column %s.%I %s not null %s default %s', r.title, a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where r.relkind in ('r', 'p', 'v')
  union select format('constraint %s %s %s', r.title, case when r.relispartition then '*' else k.conname end,
      pg_get_constraintdef(k.oid))
    from relations r join pg_constraint k on k.conrelid = r.oid where k.contype <> 'n'
  union select format('index %s %s', r.title, regexp_replace(pg_get_indexdef(i.indexrelid),
      case when r.relispartition then ' INDEX .* USING ' else 'never' end, ' INDEX * USING '))
    from relations r join pg_index i on i.indrelid = r.oid
  union select format('trigger %s %s %s', r.title, t.tgenabled, regexp_replace(pg_get_triggerdef(t.oid),
      case when r.relispartition then '_[0-9]{6,8}' else 'never' end, '_*'))
    from relations r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
  union select 'view ' || title || pg_get_viewdef(oid) from relations where relkind = 'v'
  union select 'sequence ' || s::text from pg_sequences s where s.schemaname = 'messaging'
  union select pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in (select nspname from relations) and p.prokind = 'f'
  union select pg_get_statisticsobjdef(oid) from pg_statistic_ext
  union select format('publication %s %s %s %s', p.pubname, to_jsonb(p) - 'oid' - 'pubowner', s.schemaname, s.tablename)
    from pg_publication p join pg_publication_tables s using (pubname)
  union select format('comment %s %s %s', coalesce(r.title, n.nspname), d.objsubid, d.description)
    from pg_description d left join relations r on r.oid = d.objoid
    left join pg_namespace n on n.oid = d.objoid and d.classoid = 'pg_namespace'::regclass
    where r.oid is not null or n.nspname in (select nspname from relations)
  union select format('right %s %s %s', r.title, a.grantee::regrole, a.privilege_type)
    from rights r cross join aclexplode(r.acl) a where r.title !~ '^(pg_|information_schema)'
  union select 'migration ' || name from public.migrations
  union select format('checksum %s %s', name, checksum) from messaging.migration_checksums
  order by line`;

/** All that a database's schemas consist of, and the migrations it has run, as lines that can be compared. */
export function schemaLines(url: string): Promise<readonly string[]> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(LINES);
    return rows.map(({ line }) => line);
  });
}
