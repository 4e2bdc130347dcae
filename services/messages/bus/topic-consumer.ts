import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { claimMessage } from "../../platform/inbox/inbox.ts";
import { applyEitherWay } from "../../platform/kafka/apply-together.ts";
import {
  startConsumer,
  type OnBatch,
  type RunningConsumer,
} from "../../platform/kafka/consumer.ts";
import { NOT_READ, type DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
import { guardFirstBatches, type FirstBatches } from "../../platform/kafka/first-batches.ts";
import {
  BatchHandler,
  type ApplyBatch,
  type Received,
  type VetBatch,
} from "../../platform/kafka/handle-batch.ts";
import { DEAD_LETTER_CODES } from "../../platform/kafka/kafka-faults.ts";
import { findExcess, type RawMessage } from "../../platform/kafka/raw-message.ts";
import { traceBatches } from "../../platform/kafka/trace-batches.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { isCarrierTopic, type MessageOf, type TopicName } from "../topics.ts";
import type { Bus } from "./bus.ts";

export interface TopicHandler<T extends TopicName> {
  readonly apply: ApplyBatch<MessageOf<T>>;
  readonly vet?: VetBatch<MessageOf<T>>;
  /** The most messages of a partition that one `apply` may receive. */
  readonly maxBatch: number;
}

type TopicHandlers = { readonly [T in TopicName]?: TopicHandler<T> };

interface TopicConsumerOptions {
  /** Identifies the group (with the deployment's prefix), the inbox rows and the positions. */
  readonly consumer: string;
  readonly handlers: TopicHandlers;
  readonly concurrency?: number;
  readonly fetchBytes?: number;
  /** Of topics whose messages wait on purpose: they have no lag, and delay no others. */
  readonly delay?: {
    readonly maxWaitMs: number;
    readonly waitUntilDue: (handle: OnBatch) => OnBatch;
  };
  readonly describe?: DescribeDeadLetter;
  readonly bugBackoffMs?: readonly number[];
  /** Called after each rebalance, before the first record. */
  readonly onJoin?: () => void;
}

/**
 * Consumes topics by the bus's rules (docs/contract/messages.md, Rules that hold for every consumer and
 * producer): undecodable and unfit messages are dead-lettered, transient faults hold the partition, the
 * effect and the position are one transaction, the offset is committed after.
 * @throws `invalid_state` on a restored database that was not reconciled
 */
export async function startTopicConsumer(
  bus: Bus,
  options: TopicConsumerOptions,
): Promise<RunningConsumer> {
  const { consumer, delay, onJoin } = options;
  await bus.reconciled();
  const topics = Object.keys(options.handlers) as TopicName[];
  const metrics = createConsumerMetrics(bus.metrics, { consumer, topics });
  const context = { ...options, metrics };
  const guards = topics.map(
    (topic) => [bus.topicPrefix + topic, onTopic(bus, context, topic)] as const,
  );
  return startConsumer({
    kafka: bus.kafka,
    group: bus.topicPrefix + consumer,
    handlers: new Map(
      guards.map(([topic, { onBatch }]) => [topic, delay?.waitUntilDue(onBatch) ?? onBatch]),
    ),
    sessionTimeoutMs: bus.sessionTimeoutMs,
    concurrency: options.concurrency ?? 6,
    ...(options.fetchBytes === undefined ? {} : { fetchBytes: options.fetchBytes }),
    ...(delay === undefined ? {} : { maxWaitMs: delay.maxWaitMs, stalledAfterMs: Infinity }),
    onJoin: () => {
      metrics.forgetLags();
      for (const [, guard] of guards) guard.forget();
      onJoin?.();
    },
    log: bus.log,
    onLag: (...seen) => {
      if (delay === undefined) metrics.lag(...seen);
    },
  });
}

interface TopicContext extends TopicConsumerOptions {
  readonly metrics: ConsumerMetrics;
}

function onTopic(bus: Bus, options: TopicContext, topic: TopicName): FirstBatches {
  // Safe: the table of handlers is typed by topic.
  const handler = options.handlers[topic] as TopicHandler<TopicName> | undefined;
  if (handler === undefined) throw new Error(`no handler for ${topic}`);
  const { consumer, metrics, describe, bugBackoffMs } = options;
  const batches = new BatchHandler<MessageOf<TopicName>>({
    decode: decoderOf(bus, consumer, topic),
    apply: handler.apply,
    ...(handler.vet === undefined ? {} : { vet: handler.vet }),
    maxBatch: handler.maxBatch,
    deadLetters: {
      pool: bus.pool,
      clock: bus.clock,
      consumer,
      seal: bus.seal,
      ...(describe === undefined ? {} : { describe }),
    },
    clock: bus.clock,
    log: bus.log,
    onDeadLetter: (_raw, code) => metrics.deadLettered(topic, code),
    ...(bugBackoffMs === undefined ? {} : { bugBackoffMs }),
    trace: bus.tracing === null ? undefined : traceBatches(bus.tracing, bus.topicPrefix + consumer),
  });
  return guardFirstBatches({
    ...{ ...bus.reading, consumer, log: bus.log },
    handle: (batch, control) => batches.handle(batch, control),
    giveUp: (raw, control) => {
      const detail = "Whoever read the message died or hung, three times; it was not read again.";
      return batches.refuse(raw, new AppError(NOT_READ, detail), control);
    },
  });
}

/** Decodes the messages of a topic; the desk sees the partitions in which one waits for its schema. */
function decoderOf<T extends TopicName>(
  { codec, reading, log }: Pick<Bus, "codec" | "reading" | "log">,
  consumer: string,
  topic: T,
): (raw: RawMessage) => MessageOf<T> | Promise<MessageOf<T>> {
  const waiting = new Set<number>();
  const seen = async (
    decoding: Promise<MessageOf<T>>,
    { topic: name, partition, offset }: RawMessage,
  ): Promise<MessageOf<T>> => {
    const place = { consumer, topic: name, partition };
    const ignored = (err: unknown): void => log.warn({ err }, "a wait for a schema was not noted");
    try {
      const message = await decoding;
      if (waiting.delete(partition)) await reading.attempts.end(place).catch(ignored);
      return message;
    } catch (error) {
      if (error instanceof AppError && error.code === "unknown_schema" && error.retryable) {
        waiting.add(partition);
        await reading.attempts.waitFor(place, offset, error.code).catch(ignored);
      }
      throw error;
    }
  };
  return (raw) => {
    if (isCarrierTopic(topic)) requireWithinBounds(raw);
    const decoded = codec.decode(topic, raw.value);
    return decoded instanceof Promise ? seen(decoded, raw) : decoded;
  };
}

/** What others publish is not limited by their client. @throws `invalid_message` */
function requireWithinBounds(raw: RawMessage): void {
  const excess = findExcess(raw);
  if (excess !== null) throw new AppError("invalid_message", excess);
}

export type HandleOnce<M> = (tx: Queryable, received: Received<M>) => Promise<void>;

type Applying = Pick<Bus, "pool" | "apart">;

interface EachApplied<M> {
  readonly apply: ApplyBatch<M>;
  readonly maxBatch: number;
}

/**
 * One transaction per message for its inbox row, its effect and the position; skips messages handled
 * before.
 */
export function onceEach<M>(
  bus: Applying,
  consumer: string,
  handle: HandleOnce<M>,
): EachApplied<M> {
  return oneByOne(bus, consumer, async (tx, received, first) => {
    if (first) await handle(tx, received);
  });
}

/**
 * Like `onceEach`, for topics written by external producers: `handle` detects duplicates by an id in the
 * message, because a producer may give two different messages the same message-id.
 */
export function eachByOwnId<M>(
  bus: Applying,
  consumer: string,
  handle: HandleOnce<M>,
): EachApplied<M> {
  return oneByOne(bus, consumer, handle);
}

function oneByOne<M>(
  bus: Applying,
  consumer: string,
  handle: (tx: Queryable, received: Received<M>, first: boolean) => Promise<void>,
): EachApplied<M> {
  const usual: ApplyBatch<M> = async (messages, position) => {
    await inTransaction(bus.pool, async (tx) => {
      for (const received of messages) {
        const { messageId } = received.raw;
        const first = await claimMessage(tx, { consumer, messageId, position });
        await handle(tx, received, first);
      }
    });
  };
  const afterLock: ApplyBatch<M> = (...batch) => bus.apart(() => usual(...batch));
  return { maxBatch: 1, apply: applyEitherWay({ usual, afterLock }) };
}

interface ConsumerMetrics {
  lag(topic: string, partition: number, messages: number): void;
  /** After a rebalance, when partitions may have become those of another process, which reports them from now on. */
  forgetLags(): void;
  deadLettered(topic: TopicName, code: string): void;
}

export function createConsumerMetrics(
  metrics: Metrics,
  { consumer, topics }: { readonly consumer: string; readonly topics: readonly TopicName[] },
): ConsumerMetrics {
  const lag = metrics.gauge({
    name: "consumer_lag_messages",
    help: "Messages of a partition that this consumer has not handled yet",
    labels: ["consumer", "topic", "partition"],
  });
  const deadLetters = metrics.counter({
    name: "dead_letters_total",
    help: "Messages that were dead-lettered because they cannot be handled",
    labels: ["consumer", "topic", "code"],
  });
  // From 0 on, so that the first ones count as an increase: poison often comes all at once.
  for (const topic of topics) {
    for (const code of DEAD_LETTER_CODES) deadLetters.inc({ consumer, topic, code }, 0);
  }
  const shown = new Map<string, { readonly topic: string; readonly partition: string }>();
  return {
    lag: (topic, partition, messages) => {
      const place = { topic, partition: String(partition) };
      shown.set(`${topic}/${partition}`, place);
      lag.set({ consumer, ...place }, messages);
    },
    forgetLags: () => {
      for (const place of shown.values()) lag.remove({ consumer, ...place });
      shown.clear();
    },
    deadLettered: (topic, code) => deadLetters.inc({ consumer, topic, code }),
  };
}
