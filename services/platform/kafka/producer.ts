import type { Kafka, Message, Producer as KafkaProducer, RecordMetadata } from "kafkajs";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { messageBytes, type OutgoingMessage } from "../outbox/outbox.ts";
import { nextTraceparent } from "../traceparent.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { TopicPartition } from "./consumer.ts";
import { createPartitioner } from "./partitioner.ts";
import { traceSends } from "./trace-sends.ts";

/** A request has one record batch per partition, which must stay below the topics' max.message.bytes. */
const MAX_REQUEST_BYTES = 1_000_000;

export interface ProducerOptions {
  /** Dates the messages. The broker refuses what is dated more than an hour ahead of its own time. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing?: Tracing | null;
  /** The bytes that a topic takes per batch, where it takes fewer than a request has. */
  readonly batchLimit?: (topic: string) => number | null;
}

/** Where the broker stored a message. */
export interface SentTo {
  readonly partition: number;
  readonly offset: number;
}

export interface Producer {
  /** Sends in order, all acknowledged; one result per message. A fault is a retryable `broker_unavailable`. */
  send(messages: readonly OutgoingMessage[]): Promise<SentTo[]>;
  stop(): Promise<void>;
}

function toKafka(message: OutgoingMessage, timestamp: string): Message {
  const { key, value, headers, messageId, sealedKeyId } = message;
  if (sealedKeyId != null) throw new AppError("internal", "A sealed message cannot be sent.");
  const traceparent = headers?.["traceparent"] ?? nextTraceparent();
  return { key, value, headers: { ...headers, traceparent, "message-id": messageId }, timestamp };
}

/** Splits a list so that each part fits one request, and what it has for a topic one batch. */
function* bySize(
  messages: readonly OutgoingMessage[],
  limitOf: (topic: string) => number | null,
): Generator<OutgoingMessage[]> {
  let part: OutgoingMessage[] = [];
  let bytes = 0;
  const limited = new Map<string, number>();
  for (const message of messages) {
    const { topic } = message;
    const size = messageBytes(message);
    const limit = limitOf(topic);
    const isFull =
      bytes + size > MAX_REQUEST_BYTES ||
      (limit !== null && (limited.get(topic) ?? 0) + size > limit);
    if (part.length > 0 && isFull) {
      yield part;
      part = [];
      bytes = 0;
      limited.clear();
    }
    part.push(message);
    bytes += size;
    if (limit !== null) limited.set(topic, (limited.get(topic) ?? 0) + size);
  }
  if (part.length > 0) yield part;
}

function groupByTopic(
  part: readonly OutgoingMessage[],
  records: readonly Message[],
): { topic: string; messages: Message[] }[] {
  const groups = new Map<string, Message[]>();
  records.forEach((record, n) => {
    const topic = part[n]?.topic ?? "";
    const group = groups.get(topic);
    if (group === undefined) groups.set(topic, [record]);
    else group.push(record);
  });
  return [...groups].map(([topic, messages]) => ({ topic, messages }));
}

/** The offsets of messages, in their order, after the first of each partition. */
function locate(chosen: readonly TopicPartition[], metadata: readonly RecordMetadata[]): SentTo[] {
  const next = new Map(
    metadata.map((one) => [`${one.topicName}/${one.partition}`, Number(one.baseOffset ?? -1)]),
  );
  return chosen.map(({ topic, partition }) => {
    const place = `${topic}/${partition}`;
    const offset = next.get(place);
    if (offset === undefined || offset < 0) {
      throw new AppError("broker_unavailable", "A send was not acknowledged.", { retryable: true });
    }
    next.set(place, offset + 1);
    return { partition, offset };
  });
}

class IdempotentProducer implements Producer {
  readonly #kafka: Kafka;
  readonly #options: ProducerOptions;
  readonly #partitions = new WeakMap<Message, number>();
  /** Shared by concurrent sends; those that start while it connects wait for it. */
  #producer: Promise<KafkaProducer> | null = null;

  constructor(kafka: Kafka, options: ProducerOptions) {
    this.#kafka = kafka;
    this.#options = options;
  }

  async send(messages: readonly OutgoingMessage[]): Promise<SentTo[]> {
    const { tracing = null } = this.#options;
    if (tracing === null) return this.#sendAll(messages);
    const traced = traceSends(tracing, messages);
    const places = await this.#sendAll(traced.messages);
    traced.sent(places);
    return places;
  }

  async #sendAll(messages: readonly OutgoingMessage[]): Promise<SentTo[]> {
    const sent: SentTo[] = [];
    const { batchLimit = () => null } = this.#options;
    for (const part of bySize(messages, batchLimit)) sent.push(...(await this.#sendPart(part)));
    return sent;
  }

  async stop(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await (await producer?.catch(() => null))?.disconnect();
  }

  async #sendPart(part: readonly OutgoingMessage[]): Promise<SentTo[]> {
    const timestamp = String(this.#options.clock.now().getTime());
    const records = part.map((message) => toKafka(message, timestamp));
    const topicMessages = groupByTopic(part, records);
    const connected = (this.#producer ??= this.#connect());
    try {
      const producer = await connected;
      const metadata = await producer.sendBatch({ acks: -1, topicMessages });
      const chosen = records.map((record, n) => ({
        topic: part[n]?.topic ?? "",
        partition: this.#partitions.get(record) ?? -1,
      }));
      return locate(chosen, metadata);
    } catch (error) {
      await this.#discard(connected, error);
      throw new AppError("broker_unavailable", "Kafka did not accept a batch.", {
        retryable: true,
        cause: error,
      });
    }
  }

  async #connect(): Promise<KafkaProducer> {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 5,
      allowAutoTopicCreation: false,
      createPartitioner: () => {
        const choose = createPartitioner();
        return (choice) => {
          const partition = choose(choice);
          this.#partitions.set(choice.message, partition);
          return partition;
        };
      },
    });
    await producer.connect();
    return producer;
  }

  /**
   * After a failed send the sequence numbers of an idempotent producer are in doubt, so it is replaced.
   * If several sends failed with it, it is replaced only once.
   */
  async #discard(failed: Promise<KafkaProducer>, error: unknown): Promise<void> {
    if (this.#producer !== failed) return;
    this.#options.log.warn(
      { err: error },
      "a batch was not acknowledged; the producer is replaced",
    );
    this.#producer = null;
    await failed.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

/** An idempotent producer with acks from all in-sync replicas; connects at the first send. */
export function createProducer(kafka: Kafka, options: ProducerOptions): Producer {
  return new IdempotentProducer(kafka, options);
}
