import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { TOPICS } from "../messages/topics.ts";
import { durationMs, list, readEnv, url } from "../platform/config.ts";
import { kafkaSecurityShape } from "../platform/kafka/client-security.ts";

const { DATABASE_URL, KAFKA_BROKERS, TOPIC_PREFIX, LISTEN_HOST } = busConfigShape;

const DAY_MS = 86_400_000;
/** A broker deletes whole segments, each of which may span Kafka's default `segment.ms`. */
const SEGMENT_MS = 7 * DAY_MS;
/**
 * How long a message can be read again. Excludes porting.events, which is kept forever, as are the records of what was
 * handled from it.
 */
const LONGEST_READABLE_MS =
  Math.max(...Object.values(TOPICS).map(({ retentionMs }) => retentionMs)) + SEGMENT_MS;

const schema = z.object({
  DATABASE_URL,
  DATABASE_ROLE: databaseRole("porting_outbox_relay"),
  KAFKA_BROKERS,
  ...kafkaSecurityShape,
  TOPIC_PREFIX,
  LISTEN_HOST,
  ...healthPortShape,
  SECRETS_KEY: list(),
  /** For a login that may replicate, past any pooler; that of DATABASE_URL unless given. */
  DATABASE_REPLICATION_URL: url(["postgres", "postgresql"]).optional(),
  OUTBOX_RETENTION: durationMs("7d"),
  /** How long the records of handled messages, carriers' updates and calls are kept; 0 keeps them forever. */
  INBOX_RETENTION: durationMs("90d").refine(
    (ms) => ms === 0 || ms > LONGEST_READABLE_MS,
    `expected 0d or more than ${LONGEST_READABLE_MS / DAY_MS}d: topics may keep messages that long, and they may be read again`,
  ),
  RECONCILE_INTERVAL: durationMs("30s"),
  /** How old a sent row must be before its missing effect is considered lost. */
  RECONCILE_AFTER: durationMs("60s"),
});

export type OutboxRelayConfig = z.output<typeof schema>;

/** The relay sends only stored bytes, so it needs no schema registry. */
export function readConfig(env: NodeJS.ProcessEnv): OutboxRelayConfig {
  return readEnv(schema, env);
}
