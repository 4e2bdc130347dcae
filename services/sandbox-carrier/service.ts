import { openIntegration, type Stream } from "../messages/bus/stream.ts";
import { outgoing, type MessageContext, type OutgoingMessage } from "../messages/bus/outgoing.ts";
import { newId } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { watchCarriers } from "../domain/carrier/read-carriers.ts";
import type { SandboxCarrierConfig } from "./config.ts";
import { listenToTopics } from "./listen-to-topics.ts";
import { Player } from "./player.ts";
import type { Step } from "./script.ts";

const SERVICE = "sandbox-carrier";

export interface SandboxCarrierOptions {
  readonly config: SandboxCarrierConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startSandboxCarrier(options: SandboxCarrierOptions): Promise<RunningService> {
  const { config, log } = options;
  const integration = await openIntegration({ ...options, service: SERVICE });
  const { stream } = integration;
  const { kafka, producer, codec, topicPrefix, sessionTimeoutMs } = stream;
  const player = new Player({
    stepMs: config.SANDBOX_STEP_MS,
    publish: async (step, { traceparent }) => {
      const traced = { ...stream, traceparent };
      await producer.send(step.map((update) => updateMessage(traced, update)));
    },
    onFault: (error) => log.warn({ err: error }, "a step could not be published; retrying"),
  });
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const consumer = await listenToTopics({
    termsOf: carriers.terms,
    kafka,
    codec,
    topicPrefix,
    group: topicPrefix + SERVICE,
    sessionTimeoutMs,
    stepMs: config.SANDBOX_STEP_MS,
    player,
    log,
  });
  integration.waitsFor(consumer);
  return {
    stop: async () => {
      player.reset();
      await consumer.stop();
      await carriers.stop();
      await integration.close();
    },
  };
}

function updateMessage(
  context: MessageContext & Pick<Stream, "clock">,
  message: Step[number],
): OutgoingMessage {
  const address = { key: message.order_id, messageId: newId(context.clock.now()) };
  return outgoing(context, "carriers.updates", { ...address, message });
}
