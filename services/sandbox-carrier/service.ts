import type { Codec } from "../messages/codec.ts";
import { createCodec } from "../messages/codec.ts";
import { outgoing } from "../messages/outgoing.ts";
import type { MessageOf, TopicName } from "../messages/topics.ts";
import { systemClock } from "../platform/clock.ts";
import { AppError } from "../platform/errors.ts";
import { startHealthServer } from "../platform/health.ts";
import { newId } from "../platform/ids.ts";
import type { OnBatch } from "../platform/kafka/consumer.ts";
import { startConsumer } from "../platform/kafka/consumer.ts";
import { createKafka } from "../platform/kafka/kafka-client.ts";
import { createProducer } from "../platform/kafka/producer.ts";
import type { RawMessage } from "../platform/kafka/raw-message.ts";
import { fetchTopicEnds } from "../platform/kafka/topic-ends.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import type { RunningService } from "../platform/run-service.ts";
import { CatchUp } from "./catch-up.ts";
import type { SandboxCarrierConfig } from "./config.ts";
import { Player } from "./player.ts";
import { scriptFor } from "./script.ts";

const SERVICE = "sandbox-carrier";
const PROVIDER = "sandbox";

export interface SandboxCarrierOptions {
  readonly config: SandboxCarrierConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Decodes what it can and passes over the rest: an integration has no database to park messages in. */
function eachMessage<T extends TopicName>(
  { codec, topic, log }: { codec: Codec; topic: T; log: Logger },
  handle: (message: MessageOf<T>, raw: RawMessage) => void,
): OnBatch {
  return async (batch) => {
    for (const raw of batch) {
      try {
        handle((await codec.decode(topic, raw.value)) as MessageOf<T>, raw);
      } catch (error) {
        if (error instanceof AppError && error.retryable) throw error;
        log.warn({ err: error, topic: raw.topic, offset: raw.offset }, "a message was passed over");
      }
    }
  };
}

export async function startSandboxCarrier(options: SandboxCarrierOptions): Promise<RunningService> {
  const { config, log, signal } = options;
  const clock = systemClock;
  const topicPrefix = config.TOPIC_PREFIX;
  const registryUrl = config.SCHEMA_REGISTRY_URL;
  const codec = await createCodec({ registryUrl, topicPrefix, signal, log, clock });
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: SERVICE, log });
  const producer = createProducer(kafka, log);
  const topics = [`${topicPrefix}carriers.requests`, `${topicPrefix}carriers.updates`] as const;

  const onFault = (error: unknown): void => log.warn({ err: error }, "a step is tried again");
  const player = new Player({
    stepMs: config.SANDBOX_STEP_MS,
    say: async (update) => {
      const address = { key: update.order_id, messageId: newId(clock.now()) };
      await producer.send([outgoing({ codec, topicPrefix }, "carriers.updates", update, address)]);
    },
    onFault,
  });
  const catchUp = new CatchUp(
    () => fetchTopicEnds(kafka, topics),
    () => player.begin(),
    onFault,
  );

  const onRequest = eachMessage({ codec, topic: "carriers.requests", log }, (request, raw) => {
    const playable = request.kind === "submit" || request.kind === "supplement";
    if (request.provider === PROVIDER && playable && request.order_id !== null) {
      const time = { requestedAt: raw.timestamp, stepMs: config.SANDBOX_STEP_MS };
      player.ask(request.order_id, request.request_id, scriptFor(request, time));
    }
  });
  const onUpdate = eachMessage({ codec, topic: "carriers.updates", log }, (update) => {
    if (update.provider === PROVIDER) player.heard(update.order_id, update.update_id);
  });
  const thenCaughtUp =
    (handle: OnBatch): OnBatch =>
    async (batch, control) => {
      await handle(batch, control);
      const last = batch.at(-1);
      if (last !== undefined) catchUp.read(last);
    };

  const metrics = createMetrics(SERVICE);
  const consumer = await startConsumer({
    kafka,
    group: topicPrefix + SERVICE,
    handlers: new Map([
      [topics[0], thenCaughtUp(onRequest)],
      [topics[1], thenCaughtUp(onUpdate)],
    ]),
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT,
    concurrency: 6,
    commits: false,
    log,
    onLag: () => undefined,
    onJoin: (assigned) => {
      player.reset();
      catchUp.begin(assigned);
    },
    onCrash: (error) => {
      queueMicrotask(() => {
        throw error;
      });
    },
  });
  const health = await startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    checks: {
      broker: () =>
        consumer.isJoined()
          ? Promise.resolve()
          : Promise.reject(new AppError("broker_unavailable", "Not in the group yet.")),
    },
    metrics,
    log,
  });
  return {
    stop: async () => {
      player.reset();
      await consumer.stop();
      await producer.stop();
      await health.stop();
    },
  };
}
