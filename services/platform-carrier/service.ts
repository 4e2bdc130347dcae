import { openIntegration, type Stream } from "../messages/bus/stream.ts";
import { following, outgoing, type OutgoingMessage } from "../messages/bus/outgoing.ts";
import { PLATFORM_PROVIDER } from "../messages/platform-provider.ts";
import { newId } from "../platform/ids.ts";
import { startConsumer, type OnBatch } from "../platform/kafka/consumer.ts";
import { eachMessage } from "../platform/kafka/each-message.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { watchCarriers } from "../domain/carrier/read-carriers.ts";
import type { PlatformCarrierConfig } from "./config.ts";
import { reactionTo, type Reaction, type ReactionContext } from "./reactions.ts";

const SERVICE = "platform-carrier";

export interface PlatformCarrierOptions {
  readonly config: PlatformCarrierConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

/** An integration of the platform's own, on the same topics and with the same rights as any carrier's. */
export async function startPlatformCarrier(
  options: PlatformCarrierOptions,
): Promise<RunningService> {
  const { config, log } = options;
  const integration = await openIntegration({ ...options, service: SERVICE });
  const { stream } = integration;
  const { kafka, topicPrefix, sessionTimeoutMs } = stream;
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const consumer = await startConsumer({
    kafka,
    group: topicPrefix + SERVICE,
    handlers: new Map([
      [
        `${topicPrefix}carriers.requests`,
        onRequests(stream, { gainingCarrier: config.LOA_CARRIER_NAME, termsOf: carriers.terms }),
      ],
    ]),
    sessionTimeoutMs,
    concurrency: 6,
    log,
  });
  integration.waitsFor(consumer);
  return {
    stop: async () => {
      await consumer.stop();
      await carriers.stop();
      await integration.close();
    },
  };
}

/** The offset is committed after the messages: a repeat publishes the same updates under the same ids. */
function onRequests(stream: Stream, context: Omit<ReactionContext, "requestedAt">): OnBatch {
  return async (batch, control) => {
    const messages: OutgoingMessage[] = [];
    const collect = eachMessage({
      decode: (raw) => stream.codec.decode("carriers.requests", raw.value),
      handle: (request, raw) => {
        if (request.provider !== PLATFORM_PROVIDER) return;
        // Of the request, where it has it: another copy of the message bears another time.
        const requestedAt = request.requested_at ?? raw.timestamp;
        const reaction = reactionTo(request, { ...context, requestedAt });
        messages.push(...messagesOf(following(stream, raw), reaction));
      },
      log: stream.log,
    });
    await collect(batch, control);
    if (messages.length > 0) await stream.producer.send(messages);
  };
}

function messagesOf(stream: Stream, { portOuts, updates }: Reaction): OutgoingMessage[] {
  const idOf = (): string => newId(stream.clock.now());
  return [
    ...portOuts.map((message) => {
      const address = { key: message.phone_numbers[0] ?? "", messageId: idOf() };
      return outgoing(stream, "carriers.port-outs", { ...address, message });
    }),
    ...updates.map((message) => {
      const address = { key: message.order_id, messageId: idOf() };
      return outgoing(stream, "carriers.updates", { ...address, message });
    }),
  ];
}
