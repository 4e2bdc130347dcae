import { createHash } from "node:crypto";
import { queryRows, type Queryable } from "../db/transaction.ts";

/** A schema as it is registered: the exact text under a subject. */
export interface RegisteredSchema {
  readonly subject: string;
  readonly text: string;
}

const READ = `select u.n, k.id
  from unnest($1::text[], $2::bytea[]) with ordinality u (subject, text_hash, n)
  join messaging.schema_ids k on k.subject = u.subject and k.text_hash = u.text_hash`;

const KEEP = `insert into messaging.schema_ids (subject, text_hash, id)
  select u.subject, u.text_hash, u.id
  from unnest($1::text[], $2::bytea[], $3::integer[]) u (subject, text_hash, id)
  where not exists (select from messaging.schema_ids k
    where k.subject = u.subject and k.text_hash = u.text_hash and k.id = u.id)
  order by u.subject
  on conflict (subject, text_hash) do update set id = excluded.id`;

function keysOf(schemas: readonly RegisteredSchema[]): [subjects: string[], hashes: Buffer[]] {
  const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
  return [schemas.map(({ subject }) => subject), schemas.map(({ text }) => hashOf(text))];
}

/** The ids of the schemas, in their order, as the registry last gave them; null where one was never kept. */
export async function readKeptIds(
  db: Queryable,
  schemas: readonly RegisteredSchema[],
): Promise<number[] | null> {
  const rows = await queryRows<{ n: number; id: number }>(db, {
    text: READ,
    values: keysOf(schemas),
  });
  const ids = new Map(rows.map(({ n, id }) => [n, id]));
  const found = schemas.map((_, at) => ids.get(at + 1)).filter((id) => id !== undefined);
  return found.length === schemas.length ? found : null;
}

/** Keeps the ids of the schemas, given in their order, for a start without the registry. */
export async function keepIds(
  db: Queryable,
  schemas: readonly RegisteredSchema[],
  ids: readonly number[],
): Promise<void> {
  await queryRows(db, { text: KEEP, values: [...keysOf(schemas), [...ids]] });
}
