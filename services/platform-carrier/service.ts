import { joinedChecks } from "../messages/bus/bus-readiness.ts";
import { createCodec, type Codec } from "../messages/codec.ts";
import { PLATFORM_PROVIDER } from "../messages/platform-provider.ts";
import { outgoing, type OutgoingMessage } from "../messages/bus/outgoing.ts";
import { systemClock } from "../platform/clock.ts";
import { AppError } from "../platform/errors.ts";
import { startHealthServer } from "../platform/health.ts";
import { newIds } from "../platform/ids.ts";
import { startConsumer, type OnBatch } from "../platform/kafka/consumer.ts";
import { createKafka } from "../platform/kafka/kafka-client.ts";
import { createProducer, type Producer } from "../platform/kafka/producer.ts";
import type { RawMessage } from "../platform/kafka/raw-message.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { PlatformCarrierConfig } from "./config.ts";
import { reactionTo } from "./reactions.ts";

const SERVICE = "platform-carrier";

export interface PlatformCarrierOptions {
  readonly config: PlatformCarrierConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** An integration of the platform's own, on the same topics and with the same rights as any carrier's. */
export async function startPlatformCarrier(
  options: PlatformCarrierOptions,
): Promise<RunningService> {
  const { config, log, signal } = options;
  const { TOPIC_PREFIX: topicPrefix } = config;
  const clock = systemClock;
  const codec = await createCodec({ registry: config, topicPrefix, signal, log, clock });
  const sessionTimeoutMs = config.KAFKA_SESSION_TIMEOUT;
  const brokers = config.KAFKA_BROKERS;
  const kafka = createKafka({
    brokers,
    security: config,
    clientId: SERVICE,
    log,
    sessionTimeoutMs,
  });
  const producer = createProducer(kafka, log);
  const parts = { codec, topicPrefix, producer, gainingCarrier: config.LOA_CARRIER_NAME, log };
  const consumer = await startConsumer({
    kafka,
    group: topicPrefix + SERVICE,
    handlers: new Map([[`${topicPrefix}carriers.requests`, onRequests(parts)]]),
    sessionTimeoutMs,
    concurrency: 6,
    log,
    onLag: () => undefined,
    onCrash: (error) => {
      queueMicrotask(() => {
        throw error;
      });
    },
  });
  const health = await startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    checks: joinedChecks([consumer]),
    metrics: createMetrics(SERVICE),
    log,
  });
  return {
    stop: async () => {
      await consumer.stop();
      await producer.stop();
      await health.stop();
    },
  };
}

interface Parts {
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly producer: Pick<Producer, "send">;
  readonly gainingCarrier: string;
  readonly log: Logger;
}

/** The offset is committed after the messages: a repeat publishes the same updates under the same ids. */
function onRequests(parts: Parts): OnBatch {
  return async (batch) => {
    for (const raw of batch) {
      const messages = await messagesFor(parts, raw);
      if (messages.length > 0) await parts.producer.send(messages);
    }
  };
}

async function messagesFor(parts: Parts, raw: RawMessage): Promise<OutgoingMessage[]> {
  const { codec, gainingCarrier, log } = parts;
  try {
    const request = await codec.decode("carriers.requests", raw.value);
    if (request.provider !== PLATFORM_PROVIDER) return [];
    const requestedAt = raw.timestamp;
    const { portOuts, updates } = reactionTo(request, { gainingCarrier, requestedAt });
    const ids = newIds(systemClock.now(), portOuts.length + updates.length);
    return [
      ...portOuts.map((message, n) => {
        const address = { key: message.phone_numbers[0] ?? "", messageId: ids[n] ?? "" };
        return outgoing(parts, "carriers.port-outs", { ...address, message });
      }),
      ...updates.map((message, n) => {
        const address = { key: message.order_id, messageId: ids[portOuts.length + n] ?? "" };
        return outgoing(parts, "carriers.updates", { ...address, message });
      }),
    ];
  } catch (error) {
    if (error instanceof AppError && error.retryable) throw error;
    log.warn({ err: error, topic: raw.topic, offset: raw.offset }, "a message was skipped");
    return [];
  }
}
