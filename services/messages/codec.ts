import { setTimeout as wait } from "node:timers/promises";
import {
  createAvroRecord,
  readSchemaId,
  type AvroRecord,
  type ReadBody,
} from "../platform/avro/avro-record.ts";
import type { RegistryAccess } from "../platform/avro/registry-connection.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../platform/avro/schema-registry.ts";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import type { Clock } from "../platform/clock.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import {
  describedBy,
  knowSchemas,
  ownTextOf,
  readKnown,
  readStoredIds,
  requireOwn,
  storeIds,
  type OwnSchema,
} from "./known-schemas.ts";
import {
  isFromCarriers,
  STATIC_TOPIC_NAMES,
  subjectOf,
  type MessageOf,
  type RetryTopicName,
  type TopicName,
} from "./topics.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
/** How long a start waits for the registry before it takes the kept ids. */
const PATIENCE_MS = 3_000;

/** Converts between messages and Kafka values. Topic names are without the deployment's prefix. */
export interface Codec {
  /** Encodes a message; throws `internal`, naming the field, if it does not fit the schema. */
  encode<T extends TopicName>(topic: T, message: Sparse<MessageOf<T>>): Buffer;
  /**
   * Decodes a value: synchronously, or as a promise if its writer's schema must be fetched first. Errors
   * are thrown or rejected accordingly: `null_value`, `undecodable`, `unknown_schema`; retryable
   * `registry_unavailable`, and `unknown_schema` where we alone write the topic.
   */
  decode<T extends TopicName>(topic: T, value: Buffer | null): MessageOf<T> | Promise<MessageOf<T>>;
}

interface CodecOptions {
  readonly registry: RegistryAccess;
  readonly topicPrefix: string;
  /** The delay topics; needed only by services that write to them. */
  readonly retryTopics?: readonly RetryTopicName[];
  /** The database that keeps the schemas' ids; without it every start waits for the registry, and reads by its ids alone. */
  readonly idStore?: Queryable;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Channel {
  readonly record: AvroRecord;
  readonly ownId: number | undefined;
  readonly readers: Map<number, ReadBody>;
}

type SchemaOf = (id: number, topic: TopicName) => Promise<AvroRecordSchema>;

/** Of each topic: a release has one at most. */
const MOST_READERS = 64;

/** One channel per topic, created on first use; delay topics share a schema but have separate channels. */
function createChannels(ids: ReadonlyMap<TopicName, number>): (topic: TopicName) => Channel {
  const channels = new Map<TopicName, Channel>();
  return (topic) => {
    let channel = channels.get(topic);
    if (channel === undefined) {
      const record = createAvroRecord(describedBy(topic).schema);
      channel = { record, ownId: ids.get(topic), readers: new Map() };
      if (channel.ownId !== undefined) channel.readers.set(channel.ownId, record.read);
      channels.set(topic, channel);
    }
    return channel;
  };
}

const noSchemas: SchemaOf = (id) =>
  Promise.reject(new AppError("unknown_schema", `no schema has the id ${id}`));

/** What only we write has a schema of ours: it is registered already, or the registry has lost it. */
function asUnknown(error: unknown, topic: TopicName): unknown {
  const isUnknown = error instanceof AppError && error.code === "unknown_schema";
  if (!isUnknown || isFromCarriers(topic)) return error;
  return new AppError("unknown_schema", error.message, { retryable: true, cause: error });
}

/** A codec that writes with the given ids; without `schemaOf` it reads only values with those ids. */
export function createCodecWithIds(
  ids: ReadonlyMap<TopicName, number>,
  schemaOf: SchemaOf = noSchemas,
): Codec {
  const channelOf = createChannels(ids);

  async function decodeForeign(topic: TopicName, writerId: number, value: Buffer) {
    const { readers, record, ownId } = channelOf(topic);
    const schema = await schemaOf(writerId, topic).catch((error: unknown) => {
      throw asUnknown(error, topic);
    });
    const reader = record.readerOf(schema);
    const [oldest] = [...readers.keys()].filter((id) => id !== ownId);
    if (oldest !== undefined && readers.size > MOST_READERS) readers.delete(oldest);
    readers.set(writerId, reader);
    return reader(value);
  }

  return {
    encode(topic, message) {
      const { ownId, record } = channelOf(topic);
      if (ownId === undefined) throw new AppError("internal", `no schema id for topic ${topic}`);
      return record.write(message, ownId);
    },
    decode<T extends TopicName>(topic: T, value: Buffer | null) {
      if (value === null) throw new AppError("null_value", "the value is null");
      const channel = channelOf(topic);
      const writerId = readSchemaId(value);
      const reader = channel.readers.get(writerId);
      const message = reader === undefined ? decodeForeign(topic, writerId, value) : reader(value);
      return message as MessageOf<T> | Promise<MessageOf<T>>;
    },
  };
}

type SchemaIds = ReadonlyMap<TopicName, number>;

/** The schemas that the codec writes with, as this version ships them. */
function ownSchemas({ topicPrefix, retryTopics = [] }: CodecOptions): OwnSchema[] {
  return [...STATIC_TOPIC_NAMES, ...retryTopics].map((topic) => ({
    topic,
    subject: subjectOf(topicPrefix + topic),
    text: describedBy(topic).text,
  }));
}

function byTopic(schemas: readonly OwnSchema[], ids: readonly number[]): SchemaIds {
  return new Map(schemas.map(({ topic }, n) => [topic, ids[n] ?? 0]));
}

/** Asks the registry until it knows every schema; keeps the ids. */
async function askForIds(registry: SchemaRegistry, options: CodecOptions): Promise<SchemaIds> {
  const { idStore, signal, log } = options;
  const schemas = ownSchemas(options);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      const asked = schemas.map(({ subject, text }) => registry.idOf(subject, text));
      const ids = await Promise.all(asked);
      if (idStore !== undefined) {
        await requireOwn(idStore, schemas, ids);
        Promise.all([knowSchemas(idStore, schemas, ids), storeIds(idStore, schemas, ids)]).catch(
          (error: unknown) =>
            log.warn({ err: error }, "the ids of the message schemas were not kept"),
        );
      }
      return byTopic(schemas, ids);
    } catch (error) {
      log.warn({ err: error }, "waiting for the message schemas in the registry");
    }
    await wait(waitMs, undefined, { signal });
  }
}

/** The registry's answer, or where it has none after 3 s, the ids that were kept. */
async function firstIds(asked: Promise<SchemaIds>, options: CodecOptions): Promise<SchemaIds> {
  const { idStore, signal, log } = options;
  if (idStore === undefined) return asked;
  for (;;) {
    const found = await Promise.race([asked, wait(PATIENCE_MS, null, { signal, ref: false })]);
    if (found !== null) return found;
    try {
      const schemas = ownSchemas(options);
      const ids = await readStoredIds(idStore, schemas);
      if (ids !== null) {
        log.warn("the registry is away; messages are written with the schema ids that were kept");
        return byTopic(schemas, ids);
      }
    } catch (error) {
      log.warn({ err: error }, "the kept ids of the message schemas cannot be read");
    }
  }
}

/** Finds what a message was written with: by what its id is known to stand for, else by the registry. */
function schemasBy(
  registry: SchemaRegistry,
  { idStore, topicPrefix, log }: CodecOptions,
): SchemaOf {
  return async (id, topic) => {
    const subject = subjectOf(topicPrefix + topic);
    const known = idStore === undefined ? null : await readKnown(idStore, { topic, subject, id });
    if (known !== null) return known;
    // The registry takes a schema from anybody, and may have given the id to another subject.
    const schema = await registry.schemaById(id, subject);
    const text = ownTextOf(topic, schema);
    if (idStore !== undefined && text !== undefined) {
      await knowSchemas(idStore, [{ subject, text }], [id]).catch((error: unknown) =>
        log.warn({ err: error }, "what a schema id stands for was not kept"),
      );
    }
    return schema;
  };
}

/**
 * A codec that looks up its schemas' ids and never registers any. Waits for an unavailable registry and for schemas that
 * `npm run topics` has not registered yet, but starts with kept ids, until the registry answers; rejects when the signal
 * aborts.
 */
export async function createCodec(options: CodecOptions): Promise<Codec> {
  const registry = createSchemaRegistry({ access: options.registry, clock: options.clock });
  const schemaOf = schemasBy(registry, options);
  const withIds = (ids: SchemaIds): Codec => createCodecWithIds(ids, schemaOf);
  const asked = askForIds(registry, options);
  let codec = withIds(await firstIds(asked, options));
  // A registry that was set up again may have other ids. A stop ends the wait for it.
  asked.then(
    (ids) => {
      codec = withIds(ids);
    },
    () => undefined,
  );
  return {
    encode: (topic, message) => codec.encode(topic, message),
    decode: (topic, value) => codec.decode(topic, value),
  };
}

/** A message as its producer writes it: nullable fields may be omitted, at every depth. */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? { readonly [K in RequiredKeys<T>]: Sparse<T[K]> } & {
        readonly [K in Exclude<keyof T, RequiredKeys<T>>]?: Sparse<T[K]> | undefined;
      }
    : T;

type RequiredKeys<T> = { [K in keyof T]: null extends T[K] ? never : K }[keyof T];
