import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ensureFirstAccess } from "../../infra/first-access.ts";
import { Supervisor } from "../../infra/supervisor/supervisor.ts";
import { SERVICE_NAMES } from "../../infra/supervisor/service-table.ts";
import type { CopyName } from "../../infra/supervisor/service-table.ts";
import { ensureTopics } from "../../infra/topics/ensure-topics.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../services/messages/retry-schedule.ts";
import { createTestDatabase, testStack, uniqueTopicPrefix } from "./test-stack.ts";

export interface ProductOptions {
  /** Which services run; all of them unless given. */
  readonly services?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The product on the run's stack, with a database and topics of its own. */
export interface Product {
  readonly apiUrl: string;
  readonly deskUrl: string;
  readonly apiKey: string;
  readonly deskToken: string;
  readonly databaseUrl: string;
  readonly topicPrefix: string;
  readonly supervisor: Supervisor;
  readonly logFolder: string;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 15_000;
const NO_LOG = (): void => undefined;

/** Starts the built services as processes and waits until all are ready. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const stack = testStack();
  const database = await createTestDatabase();
  const topicPrefix = uniqueTopicPrefix();
  await ensureTopics({
    brokers: [stack.kafka_brokers],
    registryUrl: stack.schema_registry_url,
    prefix: topicPrefix,
    replication: 1,
    retrySchedule: options.env?.["WEBHOOK_RETRY_SCHEDULE"] ?? DEFAULT_RETRY_SCHEDULE,
    eventsRetentionMs: null,
    log: NO_LOG,
  });
  const access = await ensureFirstAccess(database.url, null);
  const dataDir = mkdtempSync(join(tmpdir(), "nps-product-"));
  const supervisor = new Supervisor({
    dataDir,
    log: NO_LOG,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      KAFKA_BROKERS: stack.kafka_brokers,
      SCHEMA_REGISTRY_URL: stack.schema_registry_url,
      TOPIC_PREFIX: topicPrefix,
      DATABASE_POOL_SIZE: "4",
      SECRETS_KEY: randomBytes(32).toString("base64"),
      DEFAULT_PROVIDER: "sandbox",
      SANDBOX_STEP_MS: "50",
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      ...options.env,
    },
  });
  const running = (options.services ?? SERVICE_NAMES).map((name) => supervisor.start(name));
  const urlOf = (name: CopyName): string =>
    running.find((service) => service.name === name)?.url() ?? "";
  await supervisor.whenReady();
  return {
    apiUrl: urlOf("api"),
    deskUrl: urlOf("requirement-review"),
    apiKey: access.api_key,
    deskToken: access.desk_token,
    databaseUrl: database.url,
    topicPrefix,
    supervisor,
    logFolder: join(dataDir, "logs"),
    stop: async () => {
      await supervisor.stop(STOP_GRACE_MS);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
