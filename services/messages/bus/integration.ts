import { createReadiness, startHealthServer } from "../../platform/health.ts";
import type { RunningConsumer } from "../../platform/kafka/consumer.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { countDroppedSpans } from "../../platform/tracing/dropped-spans.ts";
import { failsUnless, type HealthAddress } from "./bus-readiness.ts";
import { openStream, type Stream, type StreamConfig, type StreamOptions } from "./stream.ts";

export interface IntegrationOptions extends StreamOptions {
  readonly config: StreamConfig & HealthAddress;
}

/** The connections of a service without a database, and its health server. */
export interface Integration {
  readonly stream: Stream;
  /** It is ready once this consumer has joined its group. */
  waitsFor(consumer: RunningConsumer): void;
  /** After the consumer has stopped. */
  close(): Promise<void>;
}

/** Listens first, because the registry may be away for long; then waits for the stream. */
export async function openIntegration(options: IntegrationOptions): Promise<Integration> {
  const { config, service, log, tracing = null } = options;
  const metrics = createMetrics(service);
  countDroppedSpans(metrics, tracing);
  let [stream, consumer]: [Stream | null, RunningConsumer | null] = [null, null];
  const hasSchemas = (): boolean => stream !== null;
  const isJoined = (): boolean => consumer?.isJoined() === true;
  const checks = {
    registry: failsUnless(hasSchemas, "registry_unavailable", "The schemas have no ids yet."),
    broker: failsUnless(isJoined, "broker_unavailable", "Not in the consumer group yet."),
  };
  const health = await startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    readiness: createReadiness(checks, { log, metrics }),
    metrics,
  });
  try {
    stream = await openStream(options);
  } catch (error) {
    await health.stop();
    throw error;
  }
  const { producer } = stream;
  return {
    stream,
    waitsFor: (joining) => {
      consumer = joining;
    },
    close: async () => {
      await producer.stop();
      await health.stop();
    },
  };
}
