import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { TOPICS } from "../messages/topics.ts";
import { durationMs, readEnv } from "../platform/config.ts";

const { DATABASE_URL, KAFKA_BROKERS, TOPIC_PREFIX, LISTEN_HOST } = busConfigShape;

const DAY_MS = 86_400_000;
/** Of porting.events, which is kept for ever, the event log and the fan-out know for ever what was handled. */
const LONGEST_TOPIC_MS = Math.max(...Object.values(TOPICS).map(({ retentionMs }) => retentionMs));

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
  /** How long it is known what was handled; 0 for ever. */
  INBOX_RETENTION: durationMs("90d").refine(
    (ms) => ms === 0 || ms > LONGEST_TOPIC_MS,
    `expected 0d or more than ${LONGEST_TOPIC_MS / DAY_MS}d: so long topics keep messages, which may be read again`,
  ),
  RECONCILE_INTERVAL: durationMs("30s"),
  /** How old a sent row must be before its missing effect counts as lost. */
  RECONCILE_AFTER: durationMs("60s"),
});

export type OutboxRelayConfig = z.output<typeof schema>;

/** The relay writes no message of its own, so it needs no registry. */
export function readConfig(env: NodeJS.ProcessEnv): OutboxRelayConfig {
  return readEnv(schema, env);
}
