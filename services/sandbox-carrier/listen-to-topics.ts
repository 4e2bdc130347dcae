import { CARRIER_FETCH_BYTES } from "../messages/topics.ts";
import type { Kafka } from "kafkajs";
import type { Codec } from "../messages/codec.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import {
  startConsumer,
  type OnBatch,
  type RunningConsumer,
  type TopicPartition,
} from "../platform/kafka/consumer.ts";
import { eachMessage } from "../platform/kafka/each-message.ts";
import type { RawMessage } from "../platform/kafka/raw-message.ts";
import { fetchTopicEnds, type PartitionEnd } from "../platform/kafka/topic-offsets.ts";
import type { Logger } from "../platform/logger.ts";
import type { Player } from "./player.ts";
import type { TermsOf } from "../domain/terms/rules/port-date.ts";
import { scriptFor } from "./script.ts";

/** Enough for several days of requests. */
const REMEMBERED = 50_000;

/** The parts of a request that may change when it is sent again: its time and its dates. */
interface Asked extends Pick<CarrierRequest, "foc_requested" | "foc_actual"> {
  readonly at: number;
}

/** A request as it was first received. */
export interface FirstRequest {
  readonly request: CarrierRequest;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/**
 * Remembers when each request first arrived, and with which dates. A repeated request must get the same
 * bytes, or its updates would differ under known ids.
 */
export class FirstAsked {
  readonly #byRequest = new Map<string, Asked>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /** `requestedAt` in epoch milliseconds, as the request or else its message has it. */
  firstOf(request: CarrierRequest, requestedAt: number): FirstRequest {
    const { request_id: id, foc_requested, foc_actual } = request;
    const asked = this.#byRequest.get(id) ?? { at: requestedAt, foc_requested, foc_actual };
    this.#byRequest.set(id, asked);
    const [oldest] = this.#byRequest.keys();
    if (oldest !== undefined && this.#byRequest.size > this.#limit) this.#byRequest.delete(oldest);
    const { at, ...dates } = asked;
    return { request: { ...request, ...dates }, requestedAt: at };
  }
}

/**
 * Reports, once per join, when everything on the assigned partitions at the time of the join has been
 * read.
 */
class CatchUp {
  readonly #fetchEnds: () => Promise<readonly PartitionEnd[]>;
  readonly #onDone: () => void;
  readonly #onFault: (error: unknown) => void;
  readonly #read = new Map<string, number>();
  #join = 0;
  #missing: readonly PartitionEnd[] | null = null;

  constructor(
    fetchEnds: () => Promise<readonly PartitionEnd[]>,
    onDone: () => void,
    onFault: (error: unknown) => void,
  ) {
    this.#fetchEnds = fetchEnds;
    this.#onDone = onDone;
    this.#onFault = onFault;
  }

  begin(assigned: readonly TopicPartition[]): void {
    this.#join += 1;
    this.#read.clear();
    this.#missing = null;
    void this.#learnEnds(this.#join, assigned);
  }

  read({ topic, partition, offset }: RawMessage): void {
    this.#read.set(`${topic}/${partition}`, offset + 1);
    if (this.#missing !== null) this.#check();
  }

  async #learnEnds(join: number, assigned: readonly TopicPartition[]): Promise<void> {
    const mine = new Set(assigned.map(({ topic, partition }) => `${topic}/${partition}`));
    try {
      const ends = await this.#fetchEnds();
      if (join !== this.#join) return;
      this.#missing = ends.filter(({ topic, partition }) => mine.has(`${topic}/${partition}`));
      this.#check();
    } catch (error) {
      this.#onFault(error);
      if (join === this.#join) await this.#learnEnds(join, assigned);
    }
  }

  #check(): void {
    this.#missing =
      this.#missing?.filter(({ topic, partition, nextOffset }) => {
        return (this.#read.get(`${topic}/${partition}`) ?? 0) < nextOffset;
      }) ?? null;
    if (this.#missing?.length !== 0) return;
    this.#missing = null;
    this.#onDone();
  }
}

const PROVIDER = "sandbox";
/** Requests that start a script; a new one ends the order's previous script. */
const PLAYED: ReadonlySet<string> = new Set(["submit", "supplement", "cancel"]);

export interface ListenOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly stepMs: number;
  readonly termsOf: TermsOf;
  readonly player: Player;
  readonly log: Logger;
}

/** Reads requests and updates from the earliest offset at every join, then starts the player. */
export async function listenToTopics(options: ListenOptions): Promise<RunningConsumer> {
  const { kafka, topicPrefix, player, log } = options;
  const requests = `${topicPrefix}carriers.requests`;
  const updates = `${topicPrefix}carriers.updates`;
  const catchUp = new CatchUp(
    () => fetchTopicEnds(kafka, [requests, updates]),
    () => player.begin(),
    (error) => log.warn({ err: error }, "topic ends could not be fetched; retrying"),
  );
  const thenCaughtUp =
    (handle: OnBatch): OnBatch =>
    async (batch, control) => {
      await handle(batch, control);
      const last = batch.at(-1);
      if (last !== undefined) catchUp.read(last);
    };
  return startConsumer({
    kafka,
    group: options.group,
    handlers: new Map([
      [requests, thenCaughtUp(onRequests(options))],
      [updates, thenCaughtUp(onUpdates(options))],
    ]),
    sessionTimeoutMs: options.sessionTimeoutMs,
    concurrency: 6,
    fetchBytes: CARRIER_FETCH_BYTES,
    commits: false,
    log,
    onJoin: (assigned) => {
      player.reset();
      catchUp.begin(assigned);
    },
  });
}

function onRequests({ codec, player, stepMs, termsOf, log }: ListenOptions): OnBatch {
  const asked = new FirstAsked();
  return eachMessage({
    decode: (raw) => codec.decode("carriers.requests", raw.value),
    handle: (request, raw) => {
      if (request.provider !== PROVIDER || request.order_id === null) return;
      if (!PLAYED.has(request.kind)) return;
      const { request: first, requestedAt } = asked.firstOf(
        request,
        request.requested_at ?? raw.timestamp,
      );
      const { request_id: requestId, order_id: orderId } = request;
      const { traceparent } = raw.headers;
      const script = scriptFor(first, { requestedAt, stepMs, termsOf });
      player.ask(orderId, { requestId, traceparent }, script);
    },
    log,
  });
}

/** The sandbox's own updates come back on the topic. */
function onUpdates({ codec, player, log }: ListenOptions): OnBatch {
  return eachMessage({
    decode: (raw) => codec.decode("carriers.updates", raw.value),
    handle: (update) => {
      if (update.provider === PROVIDER) player.received(update.order_id, update.update_id);
    },
    log,
  });
}
