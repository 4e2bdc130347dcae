import { z } from "zod";
import { durationMs, flag, integer, list, port, url } from "../../platform/config.ts";
import { registryShape } from "../../platform/avro/registry-connection.ts";
import { kafkaSecurityShape } from "../../platform/kafka/client-security.ts";
import type { ServiceRole } from "./topic-rights.ts";
import type { StreamConfig } from "./stream.ts";

/** Settings of a service that reads or writes topics. */
export const kafkaConfigShape = {
  KAFKA_BROKERS: list().refine((brokers) => brokers.length > 0, "expected host:port"),
  ...kafkaSecurityShape,
  ...registryShape,
  TOPIC_PREFIX: z.string().default(""),
  KAFKA_SESSION_TIMEOUT: durationMs("6s"),
  LISTEN_HOST: z.string().default("127.0.0.1"),
};

/** Settings common to every service with a database. */
export const busConfigShape = {
  ...kafkaConfigShape,
  DATABASE_URL: url(["postgres", "postgresql"]),
  DATABASE_POOL_SIZE: integer({ fallback: 10, min: 1, max: 100 }),
};

/** The role that a service assumes in Postgres: its own by default, or with `none` that of its login. */
export function databaseRole(own: ServiceRole): z.ZodType<string> {
  return z
    .string()
    .regex(/^[a-z_][a-z0-9_]*$/, "expected a role name, or none")
    .default(own);
}

/** For services whose only listener serves health and metrics. */
export const healthPortShape = { HEALTH_PORT: port(0) };

/** For API and desk: `METRICS_PUBLIC=false` moves `/metrics` from their listener to one on HEALTH_PORT. */
export const metricsShape = { ...healthPortShape, METRICS_PUBLIC: flag(true) };

export interface BusConfig extends StreamConfig {
  readonly DATABASE_URL: string;
  readonly DATABASE_ROLE: string;
  readonly DATABASE_POOL_SIZE: number;
}
