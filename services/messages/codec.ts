import { setTimeout as wait } from "node:timers/promises";
import { createAvroRecord, type AvroRecord, type ReadBody } from "../platform/avro/avro-record.ts";
import type { RegistryAccess } from "../platform/avro/registry-config.ts";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../platform/avro/schema-registry.ts";
import { readSchemaId } from "../platform/avro/wire-format.ts";
import type { Clock } from "../platform/clock.ts";
import { AppError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Sparse } from "./sparse.ts";
import { isRetryTopic, STATIC_TOPIC_NAMES, subjectOf } from "./topic-names.ts";
import {
  RETRY_TOPIC,
  TOPICS,
  type MessageOf,
  type RetryTopicName,
  type Topic,
  type TopicName,
} from "./topics.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;

/** Converts between messages and Kafka values. Topic names are without the deployment's prefix. */
export interface Codec {
  /** Encodes a message; throws `internal`, naming the field, if it does not fit the schema. */
  encode<T extends TopicName>(topic: T, message: Sparse<MessageOf<T>>): Buffer;
  /**
   * Decodes a value: synchronously, or as a promise if its writer's schema must be fetched first. Errors
   * are thrown or rejected accordingly: `null_value`, `undecodable`, `unknown_schema`; retryable
   * `registry_unavailable`.
   */
  decode<T extends TopicName>(topic: T, value: Buffer | null): MessageOf<T> | Promise<MessageOf<T>>;
}

export interface CodecOptions {
  readonly registry: RegistryAccess;
  readonly topicPrefix: string;
  /** The delay topics; needed only by services that write to them. */
  readonly retryTopics?: readonly RetryTopicName[];
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Channel {
  readonly record: AvroRecord;
  readonly ownId: number | undefined;
  readonly readers: Map<number, ReadBody>;
}

type SchemaById = (id: number) => Promise<AvroRecordSchema>;

function describedBy(topic: TopicName): Topic {
  return isRetryTopic(topic) ? RETRY_TOPIC : TOPICS[topic];
}

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

const noSchemas: SchemaById = (id) =>
  Promise.reject(new AppError("unknown_schema", `no schema has the id ${id}`));

/** A codec that writes with the given ids; without `schemaById` it reads only values with those ids. */
export function createCodecWithIds(
  ids: ReadonlyMap<TopicName, number>,
  schemaById: SchemaById = noSchemas,
): Codec {
  const channelOf = createChannels(ids);

  async function decodeForeign(channel: Channel, writerId: number, value: Buffer) {
    const reader = channel.record.readerOf(await schemaById(writerId));
    channel.readers.set(writerId, reader);
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
      const message =
        reader === undefined ? decodeForeign(channel, writerId, value) : reader(value);
      return message as MessageOf<T> | Promise<MessageOf<T>>;
    },
  };
}

async function findIds(registry: SchemaRegistry, options: CodecOptions) {
  const topics: readonly TopicName[] = [...STATIC_TOPIC_NAMES, ...(options.retryTopics ?? [])];
  const entries = topics.map(async (topic): Promise<[TopicName, number]> => {
    const subject = subjectOf(options.topicPrefix + topic);
    return [topic, await registry.idOf(subject, describedBy(topic).text)];
  });
  return new Map(await Promise.all(entries));
}

/**
 * A codec that looks up its schemas' ids and never registers any. Waits for an unavailable registry and
 * for schemas that `npm run topics` has not registered yet; rejects when the signal aborts.
 */
export async function createCodec(options: CodecOptions): Promise<Codec> {
  const registry = createSchemaRegistry({ access: options.registry, clock: options.clock });
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    options.signal.throwIfAborted();
    try {
      const ids = await findIds(registry, options);
      return createCodecWithIds(ids, (id) => registry.schemaById(id));
    } catch (error) {
      options.log.warn({ err: error }, "waiting for the message schemas in the registry");
    }
    await wait(waitMs, undefined, { signal: options.signal });
  }
}
