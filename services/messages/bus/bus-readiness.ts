import { startHealthServer, type HealthChecks, type HealthServer } from "../../platform/health.ts";
import type { RunningConsumer } from "../../platform/kafka/consumer.ts";
import { AppError } from "../../platform/errors.ts";
import type { Bus } from "./bus.ts";

/** Ready when the database responds and each consumer has joined its group. */
export function busChecks(
  { pool }: Pick<Bus, "pool">,
  consumers: readonly RunningConsumer[] = [],
): HealthChecks {
  return {
    database: async () => {
      await pool.query("select 1");
    },
    ...(consumers.length === 0 ? {} : joinedChecks(consumers)),
  };
}

/** Ready when each consumer has joined its group: of a service without a database. */
export function joinedChecks(consumers: readonly RunningConsumer[]): HealthChecks {
  return {
    broker: () =>
      consumers.every((consumer) => consumer.isJoined())
        ? Promise.resolve()
        : Promise.reject(new AppError("broker_unavailable", "Not in the consumer group yet.")),
  };
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
    checks: busChecks(bus, consumers),
    metrics: bus.metrics,
    log: bus.log,
  });
}
