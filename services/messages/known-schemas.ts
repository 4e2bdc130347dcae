import { isDeepStrictEqual } from "node:util";
import { createHash } from "node:crypto";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import { queryRows, type Queryable } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors.ts";
import { RELEASED_SCHEMAS } from "./generated/released-schemas.ts";
import { isRetryTopic, RETRY_TOPIC, TOPICS, type Topic, type TopicName } from "./topics.ts";

export function describedBy(topic: TopicName): Topic {
  return isRetryTopic(topic) ? RETRY_TOPIC : TOPICS[topic];
}

/** One of our schemas under a topic's subject. */
export interface OwnSchema extends RegisteredSchema {
  readonly topic: TopicName;
}

const parsed = (text: string): AvroRecordSchema => JSON.parse(text) as AvroRecordSchema;

/** This version's text and those of all releases before it. */
function textsOf(topic: TopicName): readonly string[] {
  const { schema, text } = describedBy(topic);
  return [text, ...(RELEASED_SCHEMAS[schema.name] ?? [])];
}

function textWith(topic: TopicName, hash: Buffer | null): string | undefined {
  return hash === null ? undefined : textsOf(topic).find((text) => hashOfText(text).equals(hash));
}

/** The released text of a schema that the registry gave; undefined for one that is not of ours, or of a later version. */
export function ownTextOf(topic: TopicName, schema: AvroRecordSchema): string | undefined {
  return textsOf(topic).find((text) => isDeepStrictEqual(parsed(text), schema));
}

/** What an id has stood for whenever a message was written with it; null where that is not known. */
export async function readKnown(
  db: Queryable,
  {
    topic,
    subject,
    id,
  }: { readonly topic: TopicName; readonly subject: string; readonly id: number },
): Promise<AvroRecordSchema | null> {
  const [hash = null] = await findKnown(db, [{ subject, id }]);
  const text = textWith(topic, hash);
  return text === undefined ? null : parsed(text);
}

/**
 * @throws `topic_mismatch` where an id, which the registry gave in the order of the schemas, has stood for another one: what
 * was written with it could not be distinguished
 */
export async function requireOwn(
  db: Queryable,
  schemas: readonly OwnSchema[],
  ids: readonly number[],
): Promise<void> {
  const places = schemas.map(({ subject }, n) => ({ subject, id: ids[n] ?? 0 }));
  const hashes = await findKnown(db, places);
  for (const [n, { topic, subject, text }] of schemas.entries()) {
    const known = textWith(topic, hashes[n] ?? null);
    if (known === undefined || isDeepStrictEqual(parsed(known), parsed(text))) continue;
    throw new AppError(
      "topic_mismatch",
      `the registry gives ${subject} the id ${ids[n]}, which messages of an earlier version have: ` +
        "restore the registry from its backup (docs/operations.md, Without the schema registry)",
    );
  }
}

/** A schema as it is registered: the exact text under a subject. */
interface RegisteredSchema {
  readonly subject: string;
  readonly text: string;
}

const READ = `select u.n, k.id
  from unnest($1::text[], $2::bytea[]) with ordinality u (subject, text_hash, n)
  join messaging.schema_ids k on k.subject = u.subject and k.text_hash = u.text_hash`;

const STORE = `insert into messaging.schema_ids (subject, text_hash, id)
  select u.subject, u.text_hash, u.id
  from unnest($1::text[], $2::bytea[], $3::integer[]) u (subject, text_hash, id)
  where not exists (select from messaging.schema_ids k
    where k.subject = u.subject and k.text_hash = u.text_hash and k.id = u.id)
  order by u.subject
  on conflict (subject, text_hash) do update set id = excluded.id`;

/** Adds what was not known yet: an id keeps its first text. */
const KNOW = `insert into messaging.known_schemas (subject, id, text_hash)
  select distinct on (u.subject, u.id) u.subject, u.id, u.text_hash
  from unnest($1::text[], $2::bytea[], $3::integer[]) u (subject, text_hash, id)
  where not exists (select from messaging.known_schemas k where k.subject = u.subject and k.id = u.id)
  order by u.subject, u.id
  on conflict do nothing`;

const FIND = `select u.n, k.text_hash
  from unnest($1::text[], $2::integer[]) with ordinality u (subject, id, n)
  join messaging.known_schemas k on k.subject = u.subject and k.id = u.id`;

/** What a kept text is found by. */
export function hashOfText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function keysOf(schemas: readonly RegisteredSchema[]): [subjects: string[], hashes: Buffer[]] {
  return [schemas.map(({ subject }) => subject), schemas.map(({ text }) => hashOfText(text))];
}

/** The ids of the schemas, in their order, as the registry last gave them; null where one was never kept. */
export async function readStoredIds(
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
export async function storeIds(
  db: Queryable,
  schemas: readonly RegisteredSchema[],
  ids: readonly number[],
): Promise<void> {
  await queryRows(db, { text: STORE, values: [...keysOf(schemas), [...ids]] });
}

/** An id as a message of the subject has it. */
interface SchemaRef {
  readonly subject: string;
  readonly id: number;
}

/** Keeps for ever what these ids stand for, so that messages can be read whatever the registry says later. */
export async function knowSchemas(
  db: Queryable,
  schemas: readonly RegisteredSchema[],
  ids: readonly number[],
): Promise<void> {
  await queryRows(db, { text: KNOW, values: [...keysOf(schemas), [...ids]] });
}

/** The hashes of the texts that the ids stand for, in their order; null where that is not known. */
async function findKnown(db: Queryable, refs: readonly SchemaRef[]): Promise<(Buffer | null)[]> {
  const rows = await queryRows<{ n: number; text_hash: Buffer }>(db, {
    text: FIND,
    values: [refs.map(({ subject }) => subject), refs.map(({ id }) => id)],
  });
  const hashes = new Map(rows.map(({ n, text_hash }) => [n, text_hash]));
  return refs.map((_, at) => hashes.get(at + 1) ?? null);
}
