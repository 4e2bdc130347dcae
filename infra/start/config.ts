import { resolve } from "node:path";
import { z } from "zod";
import { carriersShape } from "../../services/domain/carrier/read-carriers.ts";
import { flag, integer, list, port, readEnv, url } from "../../services/platform/config.ts";
import { projectRoot } from "../project-root.ts";
import type { StackAddresses } from "../local-stack/local-stack.ts";
import { NODE_COUNTS, type NodeCount } from "../local-stack/kafka-properties.ts";
import type { RequestedPorts } from "../local-stack/remembered-ports.ts";

export interface StartConfig {
  readonly apiPort: number;
  readonly deskPort: number;
  readonly listenHost: string;
  /** How many copies of each service run. */
  readonly copies: number;
  readonly dataDir: string;
  /** The folder to which the embedded Postgres archives its write-ahead log; null: none. */
  readonly walArchive: string | null;
  readonly ports: RequestedPorts;
  /** How many nodes the embedded Kafka has. */
  readonly kafkaNodes: NodeCount;
  /** Parts that run elsewhere and are not started here. */
  readonly existing: Partial<StackAddresses>;
  /** By which the log of an existing Postgres is read; undefined: by its address. */
  readonly replicationUrl: string | undefined;
  readonly secretsKey: string | null;
  /** Base URL of the API for customers; null: the address that it listens on. */
  readonly publicApiUrl: string | null;
  readonly sandbox: boolean;
  readonly defaultProvider: string;
  /** The folder of the carrier files. */
  readonly carriersDir: string;
}

const schema = z.object({
  API_PORT: port(3000),
  DESK_PORT: port(3001),
  COPIES: integer({ fallback: 1, min: 1, max: 9 }),
  LISTEN_HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default(".data"),
  WAL_ARCHIVE_DIR: z.string().default(""),
  KAFKA_PORT: port().optional(),
  KAFKA_NODES: oneOf(NODE_COUNTS),
  REGISTRY_PORT: port().optional(),
  POSTGRES_PORT: port().optional(),
  DATABASE_URL: url(["postgres", "postgresql"]).optional(),
  DATABASE_REPLICATION_URL: url(["postgres", "postgresql"]).optional(),
  KAFKA_BROKERS: list(),
  SCHEMA_REGISTRY_URL: url().optional(),
  SECRETS_KEY: z.string().optional(),
  PUBLIC_API_URL: url().optional(),
  SANDBOX: flag(true),
  DEFAULT_PROVIDER: z.string().default("sandbox"),
  ...carriersShape,
});

/** One of a few numbers, the first unless given. */
function oneOf<const N extends number>(numbers: readonly [N, ...N[]]): z.ZodType<N> {
  return z
    .string()
    .transform(Number)
    .pipe(z.literal(numbers, `expected ${numbers.join(" or ")}`))
    .default(numbers[0]);
}

/** Reads the settings of `npm start`. @throws `invalid_config` with every problem at once */
export function readStartConfig(env: NodeJS.ProcessEnv): StartConfig {
  const config = readEnv(schema, env);
  return {
    apiPort: config.API_PORT,
    deskPort: config.DESK_PORT,
    listenHost: config.LISTEN_HOST,
    copies: config.COPIES,
    dataDir: resolve(projectRoot, config.DATA_DIR),
    walArchive: config.WAL_ARCHIVE_DIR === "" ? null : resolve(projectRoot, config.WAL_ARCHIVE_DIR),
    ports: {
      postgres: config.POSTGRES_PORT ?? null,
      kafka: config.KAFKA_PORT ?? null,
      registry: config.REGISTRY_PORT ?? null,
    },
    kafkaNodes: config.KAFKA_NODES,
    existing: {
      ...(config.DATABASE_URL === undefined ? {} : { databaseUrl: config.DATABASE_URL }),
      ...(config.KAFKA_BROKERS.length === 0
        ? {}
        : { kafkaBrokers: config.KAFKA_BROKERS.join(",") }),
      ...(config.SCHEMA_REGISTRY_URL === undefined
        ? {}
        : { registryUrl: config.SCHEMA_REGISTRY_URL }),
    },
    replicationUrl: config.DATABASE_REPLICATION_URL,
    secretsKey: config.SECRETS_KEY ?? null,
    publicApiUrl: config.PUBLIC_API_URL ?? null,
    sandbox: config.SANDBOX,
    defaultProvider: config.DEFAULT_PROVIDER,
    carriersDir: resolve(projectRoot, config.CARRIERS_DIR),
  };
}
