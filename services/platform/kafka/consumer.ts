import { setTimeout as pause } from "node:timers/promises";
import type { Consumer, EachBatchPayload, Kafka } from "kafkajs";
import type { Logger } from "../logger.ts";
import { BatchInterrupted, type BatchControl } from "./handle-batch.ts";
import { rebalanceTimeoutOf } from "./kafka-client.ts";
import { patiently } from "./kafka-faults.ts";
import { toRawMessage, type RawMessage } from "./raw-message.ts";

const FLUSH_MS = 500;

/**
 * Commits offsets after their effects, many at a time. A lost commit only causes redelivery, which every
 * consumer tolerates, so a failure (a rebalance, a broker restart) is only logged.
 */
class OffsetCommitter {
  readonly #consumer: Consumer;
  readonly #log: Logger;
  readonly #pending = new Map<string, { topic: string; partition: number; offset: string }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(consumer: Consumer, log: Logger) {
    this.#consumer = consumer;
    this.#log = log;
  }

  mark(topic: string, partition: number, nextOffset: string): void {
    this.#pending.set(`${topic}/${partition}`, { topic, partition, offset: nextOffset });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    const offsets = [...this.#pending.values()];
    this.#pending.clear();
    try {
      await this.#consumer.commitOffsets(offsets);
    } catch (error) {
      this.#log.debug({ reason: String(error) }, "offsets were not committed");
    }
  }
}

const HEARTBEAT_MS = 2_000;
/** The handler sends the heartbeats, so waits are split into steps. */
const WAIT_STEP_MS = 1_000;

/** A broker that has just started, or a topic that was just created, may have no metadata yet. */
const METADATA_MS = 30_000;

/** Handles the records of one partition in order; throws `BatchInterrupted` if it returned them unhandled. */
export type OnBatch = (batch: readonly RawMessage[], control: BatchControl) => Promise<void>;

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

interface ConsumerOptions {
  readonly kafka: Kafka;
  readonly group: string;
  /** Handlers by full topic name. */
  readonly handlers: ReadonlyMap<string, OnBatch>;
  /** How soon a killed member's partitions are reassigned. */
  readonly sessionTimeoutMs: number;
  /** How many partitions are handled concurrently. */
  readonly concurrency: number;
  readonly maxWaitMs?: number;
  /** Bytes of a partition per fetch; set lower for many small records. */
  readonly fetchBytes?: number;
  readonly log: Logger;
  readonly onLag?: (topic: string, partition: number, lag: number) => void;
  /** Called when the client gives up, which nothing can repair; the process ends unless given. */
  readonly onCrash?: (error: Error) => void;
  /** Called after each assignment of partitions, before their first record. */
  readonly onJoin?: (assigned: readonly TopicPartition[]) => void;
  /** False for a reader without committed offsets, which starts at the earliest record on every join. */
  readonly commits?: boolean;
  /**
   * For how long a batch may make no progress before the other partitions go on without it; default: 2 s, Infinity for a
   * handler that waits on purpose.
   */
  readonly stalledAfterMs?: number;
}

export interface RunningConsumer {
  /** Whether the member has been assigned its partitions, possibly none, and the broker still responds. */
  isJoined(): boolean;
  stop(): Promise<void>;
}

/** What the consumer gives to a batch that it handles. */
interface BatchContext extends BatchProgress {
  /** Counts the assignments of the member: a stalled batch of an earlier one is over. */
  readonly assignments: () => number;
  readonly committer: OffsetCommitter;
  readonly options: Pick<ConsumerOptions, "handlers" | "commits" | "onLag">;
}

function controlOf(
  payload: EachBatchPayload,
  { moved, isStalled, assignments, committer, options }: BatchContext,
): BatchControl {
  const assignment = assignments();
  const isOver = (): boolean =>
    !payload.isRunning() || payload.isStale() || assignments() !== assignment;
  const heartbeat = async (): Promise<void> => {
    if (!isStalled()) await payload.heartbeat();
  };
  return {
    isOver,
    commit: async (nextOffset) => {
      if (isOver() || options.commits === false) return;
      const { topic, partition } = payload.batch;
      payload.resolveOffset(String(nextOffset - 1));
      committer.mark(topic, partition, String(nextOffset));
      await committer.flush();
    },
    heartbeat: () => {
      moved();
      return heartbeat();
    },
    wait: async (ms) => {
      const until = performance.now() + ms;
      for (let left = ms; left > 0 && !isOver(); left = until - performance.now()) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(left, WAIT_STEP_MS)));
        await heartbeat();
      }
      return !isOver();
    },
  };
}

/** A join may take as long as the group remembers a dead member; a stop waits this long for it. */
const JOIN_MS = 8_000;

/**
 * Joins the group from the earliest offset and handles batches until stopped. It returns before it has
 * joined, which after a crash may take as long as the group remembers the dead member; see `isJoined`.
 */
export async function startConsumer(options: ConsumerOptions): Promise<RunningConsumer> {
  const consumer = options.kafka.consumer({
    groupId: options.group,
    sessionTimeout: options.sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutOf(options.sessionTimeoutMs),
    heartbeatInterval: Math.min(HEARTBEAT_MS, options.sessionTimeoutMs / 3),
    maxWaitTimeInMs: options.maxWaitMs ?? 2_000,
    maxBytesPerPartition: options.fetchBytes ?? 2_200_000,
    allowAutoTopicCreation: false,
    retry: { restartOnFailure: () => Promise.resolve(true) },
  });
  const { onCrash = endProcess, stalledAfterMs: afterMs = STALLED_AFTER_MS, log } = options;
  const committer = new OffsetCommitter(consumer, log);
  const stalled = new StalledPartitions({ afterMs, log });
  const { assignments, ...membership } = watchMembership(consumer, { ...options, onCrash });
  await connect(consumer, [...options.handlers.keys()]);
  const running = consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: options.concurrency,
    eachBatch: (payload) =>
      stalled.handle(payload, (progress) =>
        handleBatch(payload, { ...progress, assignments, committer, options }),
      ),
  });
  const begun = running.catch((error: unknown) => {
    onCrash(error instanceof Error ? error : new Error("not run", { cause: error }));
  });
  return {
    ...membership,
    stop: async () => {
      // kafkajs cannot cancel a join: a member that leaves before it has joined would still join later.
      const waited = pause(JOIN_MS, false, { ref: false });
      const settled = await Promise.race([begun.then(() => true), waited]);
      const left = leave(consumer, committer, stalled);
      if (settled) return left;
      left.catch(() => undefined); // it was handling nothing, and the process ends
    },
  };
}

/** Leaves no connection behind where it fails: a caller may start the consumer again and again. */
async function connect(consumer: Consumer, topics: string[]): Promise<void> {
  try {
    await patiently(async () => {
      await consumer.connect();
      await consumer.subscribe({ topics, fromBeginning: true });
    }, METADATA_MS);
  } catch (error) {
    await consumer.disconnect().catch(() => undefined); // the first error says what is wrong
    throw error;
  }
}

async function leave(
  consumer: Consumer,
  committer: OffsetCommitter,
  stalled: StalledPartitions,
): Promise<void> {
  await committer.flush();
  await consumer.stop();
  await stalled.ended();
  await committer.flush();
  await consumer.disconnect();
}

/** As an uncaught error, outside of the client's own handling; the supervisor starts the service again. */
function endProcess(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}

type Crashing = Required<Pick<ConsumerOptions, "onCrash">>;

/**
 * A member without contact to the broker is not joined: the client itself notices only after its last
 * retry.
 */
function watchMembership(
  consumer: Consumer,
  options: Pick<ConsumerOptions, "sessionTimeoutMs" | "onJoin" | "log"> & Crashing,
): Pick<RunningConsumer, "isJoined"> & Pick<BatchContext, "assignments"> {
  const { GROUP_JOIN, HEARTBEAT, FETCH, CRASH } = consumer.events;
  // Other members may delay a join for this long.
  const silentMs = rebalanceTimeoutOf(options.sessionTimeoutMs) + HEARTBEAT_MS;
  let joined = false;
  let assignments = 0;
  let lastContactMs = performance.now();
  const onContact = (): void => {
    lastContactMs = performance.now();
  };
  consumer.on(HEARTBEAT, onContact);
  consumer.on(FETCH, onContact);
  consumer.on(GROUP_JOIN, ({ payload }) => {
    joined = true;
    assignments += 1;
    onContact();
    options.onJoin?.(
      Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      ),
    );
  });
  consumer.on(CRASH, ({ payload }) => {
    joined = false;
    options.log.warn({ err: payload.error, restart: payload.restart }, "the consumer crashed");
    if (!payload.restart) options.onCrash(payload.error);
  });
  return {
    isJoined: () => joined && performance.now() - lastContactMs < silentMs,
    assignments: () => assignments,
  };
}

async function handleBatch(payload: EachBatchPayload, context: BatchContext): Promise<void> {
  const { options, committer, isStalled } = context;
  const { topic, partition, messages, highWatermark } = payload.batch;
  const handle = options.handlers.get(topic);
  if (handle === undefined) throw new Error(`no handler for ${topic}`);
  const batch = messages.map((message) => toRawMessage(topic, partition, message));
  const last = batch.at(-1);
  if (last === undefined) return;
  const control = controlOf(payload, context);
  try {
    await handle(batch, control);
  } catch (error) {
    if (error instanceof BatchInterrupted) return;
    throw error;
  }
  // The partition may be another member's now, which is further than this batch.
  if (isStalled() && control.isOver()) return;
  payload.resolveOffset(String(last.offset));
  if (options.commits !== false) committer.mark(topic, partition, String(last.offset + 1));
  options.onLag?.(topic, partition, Math.max(0, Number(highWatermark) - last.offset - 1));
}

/** For how long a batch may make no progress before its consumer goes on without it. */
export const STALLED_AFTER_MS = 2_000;

/** What a running batch reports and learns. */
export interface BatchProgress {
  /** The batch has made progress: the time without it starts again. */
  readonly moved: () => void;
  /** Whether the consumer has gone on without the batch, and sends the heartbeats itself. */
  readonly isStalled: () => boolean;
}

interface StalledPartitionsOptions {
  /** Infinity where batches wait on purpose. */
  readonly afterMs: number;
  readonly log: Logger;
}

type Payload = Pick<EachBatchPayload, "pause"> & {
  readonly batch: Pick<EachBatchPayload["batch"], "topic" | "partition" | "firstOffset">;
};

/**
 * The partitions whose batch waits: for a row that somebody else has locked, or between the tries of a handler that fails.
 * The client fetches nothing until every batch of its last fetch was handled, so one such batch would stop all topics and
 * partitions of the process. Instead its partition is paused while the batch goes on by itself, and resumed when it has
 * ended; a partition never has two batches at a time.
 */
export class StalledPartitions {
  readonly #options: StalledPartitionsOptions;
  readonly #stalled = new Map<string, Promise<void>>();

  constructor(options: StalledPartitionsOptions) {
    this.#options = options;
  }

  /**
   * Returns when the work has ended, or has made no progress for too long. Before that, what the work throws is thrown.
   * Work that ends later must do by itself what follows from its end.
   */
  async handle(payload: Payload, work: (progress: BatchProgress) => Promise<void>): Promise<void> {
    const { topic, partition } = payload.batch;
    const place = `${topic}/${partition}`;
    const earlier = this.#stalled.get(place);
    if (earlier !== undefined) {
      // Assigned again before its last batch has ended: what it fetched is fetched again after that.
      void earlier.then(payload.pause());
      return;
    }
    const watch = watchProgress(this.#options.afterMs);
    const done = work({ moved: watch.moved, isStalled: () => this.#stalled.has(place) });
    const hasEnded = await Promise.race([done.then(() => true), watch.stopped]).finally(watch.end);
    if (!hasEnded) this.#stall(place, payload, done);
  }

  /** Resolves once no batch is stalled; those that are learn from the consumer that it stops. */
  async ended(): Promise<void> {
    await Promise.all(this.#stalled.values());
  }

  #stall(place: string, payload: Payload, done: Promise<void>): void {
    const { log } = this.#options;
    const { topic, partition } = payload.batch;
    const fields = { topic, partition, offset: Number(payload.batch.firstOffset()) };
    log.warn(fields, "a batch makes no progress; its partition is paused, the others go on");
    const resume = payload.pause();
    const ended = done
      .catch((err: unknown) => log.error({ ...fields, err }, "a stalled batch failed"))
      .then(() => {
        this.#stalled.delete(place);
        resume();
      });
    this.#stalled.set(place, ended);
  }
}

interface ProgressWatch {
  /** Resolves to false after the time without progress. */
  readonly stopped: Promise<false>;
  readonly moved: () => void;
  readonly end: () => void;
}

function watchProgress(afterMs: number): ProgressWatch {
  let movedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<false>((resolve) => {
    const look = (): void => {
      const leftMs = movedMs + afterMs - performance.now();
      if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
      else resolve(false);
    };
    if (Number.isFinite(afterMs)) timer = setTimeout(look, afterMs);
  });
  const moved = (): void => {
    movedMs = performance.now();
  };
  return { stopped, moved, end: () => clearTimeout(timer) };
}
