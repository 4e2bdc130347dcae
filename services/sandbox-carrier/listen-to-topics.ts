import type { Kafka } from "kafkajs";
import type { Codec } from "../messages/codec.ts";
import { startConsumer, type OnBatch, type RunningConsumer } from "../platform/kafka/consumer.ts";
import { fetchTopicEnds } from "../platform/kafka/topic-ends.ts";
import type { Logger } from "../platform/logger.ts";
import { CatchUp } from "./catch-up.ts";
import { eachMessage } from "../platform/kafka/each-message.ts";
import { FirstAsked } from "./first-asked.ts";
import type { Player } from "./player.ts";
import { scriptFor } from "./script.ts";

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
    commits: false,
    log,
    onJoin: (assigned) => {
      player.reset();
      catchUp.begin(assigned);
    },
  });
}

function onRequests({ codec, player, stepMs, log }: ListenOptions): OnBatch {
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
      const script = scriptFor(first, { requestedAt, stepMs });
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
