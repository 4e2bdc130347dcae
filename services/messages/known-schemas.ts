import { isDeepStrictEqual } from "node:util";
import {
  findKnown,
  hashOfText,
  type RegisteredSchema,
} from "../platform/avro/stored-schema-ids.ts";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors.ts";
import { RELEASED_SCHEMAS } from "./generated/released-schemas.ts";
import { isRetryTopic } from "./topic-names.ts";
import { RETRY_TOPIC, TOPICS, type Topic, type TopicName } from "./topics.ts";

export function describedBy(topic: TopicName): Topic {
  return isRetryTopic(topic) ? RETRY_TOPIC : TOPICS[topic];
}

/** One of our schemas under a topic's subject. */
export interface OwnSchema extends RegisteredSchema {
  readonly topic: TopicName;
}

/** Where an id of a topic's messages is looked up. */
export interface IdOfTopic {
  readonly topic: TopicName;
  readonly subject: string;
  readonly id: number;
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
  { topic, subject, id }: IdOfTopic,
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
