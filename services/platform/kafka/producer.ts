import {
  Partitioners,
  type ICustomPartitioner,
  type Kafka,
  type Message,
  type Producer as KafkaProducer,
  type RecordMetadata,
} from "kafkajs";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { messageBytes, type OutgoingMessage } from "../outbox/outbox.ts";
import { nextTraceparent } from "../traceparent.ts";
import type { OpenSpan, Tracing } from "../tracing/tracing.ts";
import type { TopicPartition } from "./consumer.ts";

const SEED = 0x97_47_b2_8c;
const MIX = 0x5b_d1_e9_95;

/** The hash by which Java's clients choose a partition. kafkajs' own is quadratic: 200 kB take it a minute. */
export function murmur2(data: Buffer): number {
  const { length } = data;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < whole; at += 4) {
    let part = Math.imul(data.readInt32LE(at), MIX);
    part = Math.imul(part ^ (part >>> 24), MIX);
    hash = Math.imul(hash, MIX) ^ part;
  }
  if (whole < length) {
    hash = Math.imul(hash ^ data.readUIntLE(whole, length - whole), MIX);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}

/** Where every client of Kafka sends a key by default. */
export function partitionOf(key: Buffer, partitions: number): number {
  return (murmur2(key) & 0x7f_ff_ff_ff) % partitions;
}

/** As kafkajs' default: by the key, and without one in turn over the partitions that have a leader. */
export const createPartitioner: ICustomPartitioner = () => {
  const inTurn = Partitioners.DefaultPartitioner();
  return (choice) => {
    const { key, partition } = choice.message;
    if (key === null || key === undefined || partition != null) return inTurn(choice);
    return partitionOf(Buffer.from(key), choice.partitionMetadata.length);
  };
};

/** A request has one record batch per partition, which must stay below the topics' max.message.bytes. */
const MAX_REQUEST_BYTES = 1_000_000;

export interface ProducerOptions {
  /** Dates the messages. The broker refuses what is dated more than an hour ahead of its own time. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing?: Tracing | null;
  /** The bytes that a topic takes per batch, where it takes fewer than a request has. */
  readonly batchLimit?: (topic: string) => number | null;
  /**
   * Topics to which others may write. A broker believes whoever names a producer's id, and would take our records for repeats
   * or for those of a producer that was replaced: to these we send without an id, and a retry may be stored twice.
   */
  readonly isForeign?: (topic: string) => boolean;
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

function unacknowledged(): never {
  throw new AppError("broker_unavailable", "A send was not acknowledged.", { retryable: true });
}

/** The offsets of messages, in their order, after the first of each partition. */
function locate(chosen: readonly TopicPartition[], metadata: readonly RecordMetadata[]): SentTo[] {
  const next = new Map(
    metadata.map((one) => [`${one.topicName}/${one.partition}`, Number(one.baseOffset ?? -1)]),
  );
  return chosen.map(({ topic, partition }) => {
    const place = `${topic}/${partition}`;
    const offset = next.get(place);
    if (offset === undefined || offset < 0) return unacknowledged();
    next.set(place, offset + 1);
    return { partition, offset };
  });
}

/** Of our own topics, or of those to which others may write. */
type Kind = "own" | "foreign";

class ReplacedProducer implements Producer {
  readonly #kafka: Kafka;
  readonly #options: ProducerOptions;
  readonly #partitions = new WeakMap<Message, number>();
  /** Shared by concurrent sends; those that start while one connects wait for it. */
  readonly #producers = new Map<Kind, Promise<KafkaProducer>>();

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
    const { batchLimit = () => null, isForeign = () => false } = this.#options;
    for (const part of bySize(messages, batchLimit)) {
      const foreign = part.filter(({ topic }) => isForeign(topic));
      const own = foreign.length === 0 ? part : part.filter(({ topic }) => !isForeign(topic));
      const places = new Map([
        ...(await this.#sendPart("own", own)),
        ...(await this.#sendPart("foreign", foreign)),
      ]);
      sent.push(...part.map((message) => places.get(message) ?? unacknowledged()));
    }
    return sent;
  }

  async stop(): Promise<void> {
    const producers = [...this.#producers.values()];
    this.#producers.clear();
    for (const producer of producers) await (await producer.catch(() => null))?.disconnect();
  }

  async #sendPart(
    kind: Kind,
    part: readonly OutgoingMessage[],
  ): Promise<[OutgoingMessage, SentTo][]> {
    if (part.length === 0) return [];
    const timestamp = String(this.#options.clock.now().getTime());
    const records = part.map((message) => toKafka(message, timestamp));
    const topicMessages = groupByTopic(part, records);
    const connected = this.#producers.get(kind) ?? this.#connect(kind);
    this.#producers.set(kind, connected);
    try {
      const producer = await connected;
      const metadata = await producer.sendBatch({ acks: -1, topicMessages });
      const chosen = records.map((record, n) => ({
        topic: part[n]?.topic ?? "",
        partition: this.#partitions.get(record) ?? -1,
      }));
      const places = locate(chosen, metadata);
      return part.map((message, n) => [message, places[n] ?? unacknowledged()]);
    } catch (error) {
      await this.#discard(kind, connected, error);
      throw new AppError("broker_unavailable", "Kafka did not accept a batch.", {
        retryable: true,
        cause: error,
      });
    }
  }

  async #connect(kind: Kind): Promise<KafkaProducer> {
    const producer = this.#kafka.producer({
      // Without an id a repeated request must not be overtaken by the next.
      ...(kind === "own"
        ? { idempotent: true, maxInFlightRequests: 5 }
        : { idempotent: false, maxInFlightRequests: 1 }),
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
  async #discard(kind: Kind, failed: Promise<KafkaProducer>, error: unknown): Promise<void> {
    if (this.#producers.get(kind) !== failed) return;
    this.#options.log.warn(
      { err: error },
      "a batch was not acknowledged; the producer is replaced",
    );
    this.#producers.delete(kind);
    await failed.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

/** A producer with acks from all in-sync replicas, idempotent where only we write; connects at the first send. */
export function createProducer(kafka: Kafka, options: ProducerOptions): Producer {
  return new ReplacedProducer(kafka, options);
}

/** Messages that are about to be sent, and the end of their spans. */
interface TracedSends {
  /** In the given order; whoever handles one continues from its send. */
  readonly messages: readonly OutgoingMessage[];
  sent(places: readonly SentTo[]): void;
}

/**
 * A span for each message that continues a trace which is sampled. Those of a failed send are not ended, and so not
 * exported: while Kafka is away, the relay tries a thousand messages again every two seconds.
 */
export function traceSends(tracing: Tracing, messages: readonly OutgoingMessage[]): TracedSends {
  const spans = messages.map((message) => startSendSpan(tracing, message));
  return {
    messages: messages.map((message, n) => {
      const span = spans[n] ?? null;
      if (span === null) return message;
      return { ...message, headers: { ...message.headers, traceparent: span.traceparent } };
    }),
    sent: (places) => {
      spans.forEach((span, n) => {
        const place = places[n];
        if (place !== undefined) {
          span?.set({
            "messaging.destination.partition.id": String(place.partition),
            "messaging.kafka.offset": place.offset,
          });
        }
        span?.end();
      });
    },
  };
}

function startSendSpan(
  tracing: Tracing,
  { topic, messageId, headers }: OutgoingMessage,
): OpenSpan | null {
  const parent = headers?.["traceparent"];
  if (parent === undefined) return null;
  const span = tracing.start(`send ${topic}`, {
    kind: "producer",
    parent,
    attributes: {
      "messaging.system": "kafka",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": topic,
      "messaging.message.id": messageId,
    },
  });
  return span.isRecorded ? span : null;
}
