import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ensureFirstAccess } from "../../../infra/start/first-access.ts";
import { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import { SERVICE_NAMES } from "../../../infra/start/supervisor/service-table.ts";
import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import { ensureTopics } from "../../../infra/topics/ensure-topics.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { createTestDatabase, testStack, uniqueTopicPrefix } from "../stack/test-stack.ts";

/** Where a product's parts are: a migrated database of its own, Kafka and the registry. */
export interface ProductPlace {
  readonly databaseUrl: string;
  readonly kafkaBrokers: string;
  readonly registryUrl: string;
}

export interface ProductOptions {
  /** Which services run; all of them unless given. */
  readonly services?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
  /** Of a product that ran before; its own unless given. */
  readonly topicPrefix?: string;
}

/** The product with a database and topics of its own. */
export interface Product extends ProductPlace {
  readonly apiUrl: string;
  readonly deskUrl: string;
  readonly apiKey: string;
  readonly deskToken: string;
  readonly topicPrefix: string;
  readonly supervisor: Supervisor;
  readonly logFolder: string;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 15_000;
const NO_LOG = (): void => undefined;

/** The built services as processes on the run's stack, all of them ready. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const stack = testStack();
  const database = await createTestDatabase();
  const place = {
    databaseUrl: database.url,
    kafkaBrokers: stack.kafka_brokers,
    registryUrl: stack.schema_registry_url,
  };
  const product = await startProductAt(place, options);
  return {
    ...product,
    stop: async () => {
      await product.stop();
      await database.drop();
    },
  };
}

/** The same at a place of the caller's own. */
export async function startProductAt(
  place: ProductPlace,
  options: ProductOptions,
): Promise<Product> {
  const { topicPrefix = uniqueTopicPrefix() } = options;
  await ensureTopics({
    brokers: [place.kafkaBrokers],
    registryUrl: place.registryUrl,
    prefix: topicPrefix,
    replication: 1,
    retrySchedule: options.env?.["WEBHOOK_RETRY_SCHEDULE"] ?? DEFAULT_RETRY_SCHEDULE,
    eventsRetentionMs: null,
    log: NO_LOG,
  });
  const access = await ensureFirstAccess(place.databaseUrl, null);
  const dataDir = mkdtempSync(join(tmpdir(), "porting-product-"));
  const supervisor = new Supervisor({
    dataDir,
    log: NO_LOG,
    env: {
      ...process.env,
      ...environment(place, topicPrefix),
      DOCUMENTS_DIR: join(dataDir, "documents"),
      ...options.env,
    },
  });
  const running = (options.services ?? SERVICE_NAMES).map((name) => supervisor.start(name));
  await supervisor.whenReady();
  const urlOf = (name: CopyName): string =>
    running.find((service) => service.name === name)?.url() ?? "";
  return {
    ...place,
    apiUrl: urlOf("api"),
    deskUrl: urlOf("requirement-review"),
    apiKey: access.api_key,
    deskToken: access.desk_token,
    topicPrefix,
    supervisor,
    logFolder: join(dataDir, "logs"),
    stop: async () => {
      await supervisor.stop(STOP_GRACE_MS);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function environment(place: ProductPlace, topicPrefix: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: place.databaseUrl,
    KAFKA_BROKERS: place.kafkaBrokers,
    SCHEMA_REGISTRY_URL: place.registryUrl,
    TOPIC_PREFIX: topicPrefix,
    DATABASE_POOL_SIZE: "4",
    SECRETS_KEY: randomBytes(32).toString("base64"),
    DEFAULT_PROVIDER: "sandbox",
    SANDBOX: "true",
    SANDBOX_STEP_MS: "50",
    RATE_LIMIT_PER_MINUTE: "0",
    AUTH_FAILURES_PER_MINUTE: "0",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  };
}
