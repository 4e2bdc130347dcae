import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus-config.ts";
import { durationMs, readEnv } from "../platform/config.ts";

const { DATABASE_URL, KAFKA_BROKERS, TOPIC_PREFIX, LISTEN_HOST } = busConfigShape;

const schema = z.object({
  DATABASE_URL,
  DATABASE_ROLE: databaseRole("porting_outbox_relay"),
  KAFKA_BROKERS,
  TOPIC_PREFIX,
  LISTEN_HOST,
  ...healthPortShape,
  /** How soon a row is found whose hint was lost. */
  OUTBOX_POLL: durationMs("100ms"),
  /** How long a hint waits for more rows, where hints come in numbers. */
  OUTBOX_LINGER: durationMs("3ms"),
  OUTBOX_RETENTION: durationMs("7d"),
  RECONCILE_INTERVAL: durationMs("30s"),
  /** How old a sent row must be before its missing effect counts as lost. */
  RECONCILE_AFTER: durationMs("60s"),
});

export type OutboxRelayConfig = z.output<typeof schema>;

/** The relay writes no message of its own, so it needs no registry. */
export function readConfig(env: NodeJS.ProcessEnv): OutboxRelayConfig {
  return readEnv(schema, env);
}
