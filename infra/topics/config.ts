import { z } from "zod";
import { carriersShape } from "../../services/domain/carrier/read-carriers.ts";
import { retrySchedule } from "../../services/messages/retry-schedule.ts";
import { DEFAULT_PARTITIONS } from "../../services/messages/topics.ts";
import {
  readRegistryAccess,
  registryShape,
  type RegistryAccess,
} from "../../services/platform/avro/registry-connection.ts";
import { durationMs, integer, list, readEnv } from "../../services/platform/config.ts";
import {
  kafkaSecurityShape,
  readKafkaSecurity,
  type KafkaSecurity,
} from "../../services/platform/kafka/client-security.ts";

export interface TopicsConfig {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
  readonly registry: RegistryAccess;
  readonly prefix: string;
  readonly replication: number;
  /** Whether existing topics must have as many replicas too. */
  readonly requiresReplication: boolean;
  readonly partitions: number;
  readonly retrySchedule: string;
  /** The folder of the carrier files. */
  readonly carriersDir: string;
  /** Null: for ever. */
  readonly eventsRetentionMs: number | null;
}

const schema = z.object({
  KAFKA_BROKERS: list().refine((brokers) => brokers.length > 0, "expected host:port, or several"),
  ...kafkaSecurityShape,
  ...registryShape,
  TOPIC_PREFIX: z.string().default(""),
  KAFKA_REPLICATION: integer({ min: 1 }).optional(),
  TOPIC_PARTITIONS: integer({ fallback: DEFAULT_PARTITIONS, min: 1 }),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule(),
  ...carriersShape,
  EVENTS_RETENTION: durationMs().optional(),
});

const USUAL_REPLICATION = 3;

/** The usual number of replicas: three where there are brokers for them, so that one can be lost. */
export function replicationFor(brokers: readonly string[]): number {
  return brokers.length >= USUAL_REPLICATION ? USUAL_REPLICATION : 1;
}

/** What an operator has to know who did not choose how many replicas there are; null where there are the usual three. */
export function replicationWarning(
  config: Pick<TopicsConfig, "brokers" | "replication" | "requiresReplication">,
): string | null {
  const { brokers, replication, requiresReplication } = config;
  if (requiresReplication || replication >= USUAL_REPLICATION) return null;
  const named = `KAFKA_BROKERS names ${brokers.length}`;
  return `warning: new topics get ${replication} replica instead of ${USUAL_REPLICATION}, because ${named}: while one broker is lost, its data is unavailable. Name ${USUAL_REPLICATION} brokers, or set KAFKA_REPLICATION.`;
}

/** The variables that `npm run topics` reads. */
export const topicsVariables: readonly string[] = Object.keys(schema.shape);

/** Reads the settings of `npm run topics`. @throws `invalid_config` with every problem at once */
export function readConfig(env: NodeJS.ProcessEnv): TopicsConfig {
  const config = readEnv(schema, env);
  return {
    brokers: config.KAFKA_BROKERS,
    security: readKafkaSecurity(env),
    registry: readRegistryAccess(env),
    prefix: config.TOPIC_PREFIX,
    replication: config.KAFKA_REPLICATION ?? replicationFor(config.KAFKA_BROKERS),
    requiresReplication: config.KAFKA_REPLICATION !== undefined,
    partitions: config.TOPIC_PARTITIONS,
    retrySchedule: config.WEBHOOK_RETRY_SCHEDULE.map(({ name }) => name).join(","),
    carriersDir: config.CARRIERS_DIR,
    eventsRetentionMs: config.EVENTS_RETENTION ?? null,
  };
}
