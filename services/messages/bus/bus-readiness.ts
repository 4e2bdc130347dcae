import {
  createReadiness,
  startHealthServer,
  type HealthChecks,
  type HealthServer,
} from "../../platform/health.ts";
import type { RunningConsumer } from "../../platform/kafka/consumer.ts";
import { AppError, type ErrorCode } from "../../platform/errors.ts";
import type { Bus } from "./bus.ts";
import { schemaCheck } from "./schema-check.ts";

/** Ready when the database responds, with a schema that this version knows, and each consumer has joined its group. */
export function busChecks(
  { pool }: Pick<Bus, "pool">,
  consumers: readonly RunningConsumer[] = [],
): HealthChecks {
  return {
    database: async () => {
      await pool.query("select 1");
    },
    schema: schemaCheck(pool),
    ...(consumers.length === 0 ? {} : joinedChecks(consumers)),
  };
}

function joinedChecks(consumers: readonly RunningConsumer[]): HealthChecks {
  const areJoined = (): boolean => consumers.every((consumer) => consumer.isJoined());
  return { broker: failsUnless(areJoined, "broker_unavailable", "Not in the consumer group yet.") };
}

export function failsUnless(
  holds: () => boolean,
  code: ErrorCode,
  detail: string,
): () => Promise<void> {
  return () => (holds() ? Promise.resolve() : Promise.reject(new AppError(code, detail)));
}

export interface HealthAddress {
  readonly LISTEN_HOST: string;
  readonly HEALTH_PORT: number;
}

/** The health server of a service without any other HTTP server. */
export function startBusHealth(
  bus: Bus,
  config: HealthAddress,
  consumers: readonly RunningConsumer[],
): Promise<HealthServer> {
  return startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    readiness: createReadiness(busChecks(bus, consumers), bus),
    metrics: bus.metrics,
  });
}
