import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import {
  SERVICE_NAMES,
  serviceOf,
  type CopyName,
} from "../../../infra/start/supervisor/service-table.ts";
import { ensureRights } from "../../../infra/topics/ensure-rights.ts";
import { replicationFor } from "../../../infra/topics/config.ts";
import { ensureTopics } from "../../../infra/topics/ensure-topics.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { databaseVariablesOf } from "../stack/database-access.ts";
import { adminAccess, TEST_PROVIDERS, variablesOf } from "../stack/kafka-access.ts";
import {
  createTestDatabase,
  testStack,
  uniqueTopicPrefix,
  type TestDatabase,
} from "../stack/test-stack.ts";
import { createTestTopics } from "../stack/test-topics.ts";
import { numbersFrom, type NumberPrefix } from "./test-numbers.ts";

/** The addresses of a product's migrated database, Kafka and the registry. */
export interface ProductPlace {
  readonly databaseUrl: string;
  readonly kafkaBrokers: string;
  readonly registryUrl: string;
}

export interface ProductOptions {
  /** The services to run; all of them unless given. */
  readonly services?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
  /** Gets a line when a service dies or is restarted. */
  readonly log?: (line: string) => void;
}

/** For the run's stack, whose one broker carries the topics of all tests. */
export interface TestProductOptions extends ProductOptions {
  /** Few unless given; set it in tests of how partitions are assigned. */
  readonly partitions?: number;
}

export interface PlacedProductOptions extends ProductOptions {
  /** Prefix of existing topics; the product creates its own unless given. */
  readonly topicPrefix?: string;
}

/** A running product as one account and the first operator reach it. */
export interface Product extends ProductPlace {
  /** Base64, as in its SECRETS_KEY. */
  readonly secretsKey: string;
  readonly apiUrl: string;
  readonly deskUrl: string;
  readonly apiKey: string;
  readonly deskToken: string;
  readonly topicPrefix: string;
  readonly logFolder: string;
  /** A valid phone number that no other test of the run has: `+1212…`, unless another prefix is given. */
  readonly newNumber: (prefix?: NumberPrefix) => string;
}

/** A product of the test's own, with its own database and topics. */
export interface OwnProduct extends Product {
  readonly supervisor: Supervisor;
  /** Stops the services before the end of the tests. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 15_000;
const NO_LOG = (): void => undefined;

/**
 * For a test that kills, pauses or sets something, or that counts whole tables; all others share the run's (`startProduct`). Starts
 * the services as processes on the run's stack and waits until all are ready; stopped after the tests.
 */
export async function startOwnProduct(options: TestProductOptions = {}): Promise<OwnProduct> {
  const { services = SERVICE_NAMES, env = {}, partitions } = options;
  const place = testPlace(await createTestDatabase());
  const topicPrefix = await createTestTopics({
    ...(partitions === undefined ? {} : { partitions }),
    ...(services.some(isSender) ? { retrySchedule: retryScheduleOf(env) } : {}),
    onBroker: services.some((name) => serviceOf(name) !== "api"),
  });
  return startProductAt(place, { services, env, topicPrefix });
}

/** The run's stack with the given database. */
export function testPlace(database: TestDatabase): ProductPlace {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  return { databaseUrl: database.url, kafkaBrokers, registryUrl };
}

/** The same on the caller's own stack, with the product's default number of partitions. */
export async function startProductAt(
  place: ProductPlace,
  options: PlacedProductOptions,
): Promise<OwnProduct> {
  const { services = SERVICE_NAMES, env = {}, log = NO_LOG } = options;
  const topicPrefix = options.topicPrefix ?? (await makeTopics(place, env));
  const access = await ensureFirstAccess(place.databaseUrl, null);
  const secretsKey = env["SECRETS_KEY"] ?? randomBytes(32).toString("base64");
  const dataDir = mkdtempSync(join(tmpdir(), "porting-product-"));
  const supervisor = new Supervisor({
    dataDir,
    log,
    env: {
      ...process.env,
      ...environment(place, topicPrefix),
      SECRETS_KEY: secretsKey,
      DOCUMENTS_DIR: join(dataDir, "documents"),
      ...env,
    },
    envOf: (service) => ({
      ...variablesOf(service),
      ...databaseVariablesOf(service, place.databaseUrl),
      ...env,
    }),
  });
  let ended: Promise<void> | null = null;
  const end = (graceMs: number): Promise<void> =>
    (ended ??= supervisor
      .stop(graceMs)
      .finally(() => rmSync(dataDir, { recursive: true, force: true })));
  // Its database and topics are removed next: the end of the tests waits for no consumer to leave its group.
  endAfterTests(() => end(0));
  const running = services.map((name) => supervisor.start(name));
  await supervisor.whenReady();
  const urlOf = (name: CopyName): string =>
    running.find((service) => service.name === name)?.url() ?? "";
  return {
    ...place,
    secretsKey,
    apiUrl: urlOf("api"),
    deskUrl: urlOf("desk"),
    apiKey: access.api_key,
    deskToken: access.desk_token,
    topicPrefix,
    newNumber: numbersFrom(0),
    supervisor,
    logFolder: join(dataDir, "logs"),
    stop: () => end(STOP_GRACE_MS),
  };
}

async function makeTopics(place: ProductPlace, env: NodeJS.ProcessEnv): Promise<string> {
  const prefix = uniqueTopicPrefix();
  const access = adminAccess(place.kafkaBrokers);
  const retrySchedule = retryScheduleOf(env);
  await ensureRights({ ...access, prefix, retrySchedule, providers: TEST_PROVIDERS });
  await ensureTopics({
    ...access,
    registry: { SCHEMA_REGISTRY_URL: place.registryUrl },
    prefix,
    replication: replicationFor(access.brokers),
    retrySchedule,
    eventsRetentionMs: null,
    log: NO_LOG,
  });
  return prefix;
}

const isSender = (name: CopyName): boolean => serviceOf(name) === "webhook-sender";

function retryScheduleOf(env: NodeJS.ProcessEnv): string {
  return env["WEBHOOK_RETRY_SCHEDULE"] ?? DEFAULT_RETRY_SCHEDULE;
}

function environment(place: ProductPlace, topicPrefix: string): NodeJS.ProcessEnv {
  return {
    KAFKA_BROKERS: place.kafkaBrokers,
    SCHEMA_REGISTRY_URL: place.registryUrl,
    TOPIC_PREFIX: topicPrefix,
    DATABASE_POOL_SIZE: "4",
    DEFAULT_PROVIDER: "sandbox",
    SANDBOX: "true",
    SANDBOX_STEP_MS: "50",
    RATE_LIMIT_PER_MINUTE: "0",
    AUTH_FAILURES_PER_MINUTE: "0",
    ACCOUNT_CONCURRENCY: "0",
    MAX_DRAFTS: "0",
    MAX_OPEN_NUMBERS: "0",
    MAX_DISCARDED_NUMBERS: "0",
    MAX_RECOVERED_EVENTS: "0",
    MAX_UPLOADED_MIB: "0",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  };
}
