import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { findKeyHolder } from "../../services/domain/account/store/api-keys.ts";
import { carrierFilesIn } from "../../services/domain/carrier/read-carriers.ts";
import { ensureAccountSecret } from "../../services/domain/webhook/store/account-secrets.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { createSecretBox, type SecretBox } from "../../services/platform/secret-box.ts";
import { linesOf, reconcileDatabase, requireReconciledAt } from "../backup/reconcile.ts";
import { clearRestoredMark, isMarkedRestored } from "../backup/restore.ts";
import { lostUsersLine } from "../local-stack/logins.ts";
import { LocalStack, type StackAddresses } from "../local-stack/local-stack.ts";
import { serviceOwner, type ProcessOwner } from "../local-stack/process-owner.ts";
import { migrate } from "../migrate/migrate.ts";
import { readSecretKeys } from "../secrets/rotate-secrets.ts";
import { readConfig as readTopicsConfig } from "../topics/config.ts";
import { ensureQuotas } from "../topics/ensure-quotas.ts";
import { ensureRights } from "../topics/ensure-rights.ts";
import { ensureTopics } from "../topics/ensure-topics.ts";
import { readStartConfig, type StartConfig } from "./config.ts";
import {
  ensureFirstAccess,
  ensureSecretsKey,
  readBootstrap,
  removeCredentials,
  writeBootstrap,
  writeCredentials,
  type Credentials,
  type FirstAccess,
} from "./credentials.ts";
import {
  documentsFolder,
  prepareDatabaseAccess,
  prepareKafkaAccess,
  prepareRegistryAccess,
  serviceEnvironment,
  type DatabaseAccess,
  type KafkaAccess,
  type RegistryAccounts,
} from "./access.ts";
import { choosePublicPorts, type PublicPorts } from "./public-ports.ts";
import { lockDataFolder, PidFiles } from "./supervisor/pid-files.ts";
import { copiesOf, SERVICE_NAMES, type ServiceName } from "./supervisor/service-table.ts";
import { reachableHost, Supervisor } from "./supervisor/supervisor.ts";

// Together less than the 20 s that a stop may take.
const SERVICES_GRACE_MS = 12_000;
const STACK_GRACE = { javaMs: 4_000, postgresMs: 2_500 };

/** What all services together may open with the usual DATABASE_POOL_SIZE, the registry and commands beside them. */
const CONNECTIONS_PER_COPY = 100;
const LEAST_CONNECTIONS = 200;

/** Name files that a service reads. */
const FILE_VARIABLES = [
  "KAFKA_SSL_CA_FILE",
  "KAFKA_SSL_CERT_FILE",
  "KAFKA_SSL_KEY_FILE",
  "SCHEMA_REGISTRY_CA_FILE",
  "NODE_EXTRA_CA_CERTS",
];

export interface LocalProductOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface StartedProduct {
  readonly credentials: Credentials;
  /** Whether key and token were made at this start. */
  readonly isFirst: boolean;
}

interface StartedStack extends Pick<StartedProduct, "isFirst"> {
  readonly addresses: StackAddresses;
  readonly access: FirstAccess;
}

/** The ports of a service's copies; undefined for one that nobody outside connects to. */
function portsOf(name: ServiceName, { api, desk }: PublicPorts): readonly number[] | undefined {
  return name === "api" ? api : name === "desk" ? desk : undefined;
}

/** The whole product as `npm start` runs it: the local stack and every service. `stop` may be called at any time. */
export class LocalProduct {
  readonly config: StartConfig;
  readonly #options: LocalProductOptions;
  readonly #unlock: () => void;
  readonly #access: KafkaAccess;
  readonly #database: DatabaseAccess;
  readonly #registry: RegistryAccounts;
  #owner: ProcessOwner | null = null;
  #stack: LocalStack | null = null;
  #supervisor: Supervisor | null = null;

  /** Locks the data folder. @throws `stack_failed` where another start has it */
  constructor(options: LocalProductOptions) {
    this.#options = options;
    this.config = readStartConfig(options.env);
    mkdirSync(this.config.dataDir, { recursive: true, mode: 0o755 });
    chmodSync(this.config.dataDir, 0o755);
    this.#unlock = lockDataFolder(this.config.dataDir);
    // A killed start leaves its credentials behind; they must not be mistaken for those of this start.
    removeCredentials(this.config.dataDir);
    const lost = lostUsersLine(this.config.dataDir);
    if (lost !== null && this.config.existing.kafkaBrokers === undefined) options.log(lost);
    this.#access = prepareKafkaAccess(this.config);
    this.#database = prepareDatabaseAccess(this.config);
    this.#registry = prepareRegistryAccess(this.config);
  }

  /** Resolves when every service is healthy and the credentials are written. */
  async start(): Promise<StartedProduct> {
    const { signal, log } = this.#options;
    const { dataDir } = this.config;
    await new PidFiles(join(dataDir, "run")).endLeftovers(log);
    const ports = await choosePublicPorts(this.config);
    signal.throwIfAborted();
    const { addresses, access, isFirst } = await this.#startStack(ports);
    await this.#prepareTopics(addresses);
    signal.throwIfAborted();
    await this.#startServices(addresses, ports);
    signal.throwIfAborted();
    const box = createSecretBox(readSecretKeys(this.#secretsKey()));
    const credentials: Credentials = {
      api_url: this.#url(ports.api[0]),
      desk_url: this.#url(ports.desk[0]),
      api_urls: ports.api.map((port) => this.#url(port)),
      desk_urls: ports.desk.map((port) => this.#url(port)),
      ...access,
      webhook_signing_secret: await readAccountSecret(addresses.databaseUrl, access.api_key, box),
      kafka_brokers: addresses.kafkaBrokers,
      ...this.#access.credentials,
      schema_registry_url: addresses.registryUrl,
      ...this.#registry.credentials,
      database_url: addresses.databaseUrl,
    };
    writeCredentials(dataDir, credentials);
    return { credentials, isFirst };
  }

  /** Stops the services, then Kafka and the registry, then Postgres, within 20 s. */
  async stop(): Promise<void> {
    await this.#stopWithin(SERVICES_GRACE_MS, STACK_GRACE);
  }

  /** Kills everything at once. */
  async kill(): Promise<void> {
    await this.#stopWithin(0, { javaMs: 0, postgresMs: 0 });
  }

  async #stopWithin(servicesMs: number, stackGrace: typeof STACK_GRACE): Promise<void> {
    removeCredentials(this.config.dataDir);
    await this.#supervisor?.stop(servicesMs);
    await this.#stack?.stop(stackGrace);
    this.#unlock();
  }

  async #startStack(at: PublicPorts): Promise<StartedStack> {
    const { dataDir, walArchive, ports, existing, replicationUrl, kafkaNodes, copies } =
      this.config;
    const { log } = this.#options;
    const kept = readBootstrap(dataDir);
    const found: { access?: FirstAccess } = {};
    const onDatabase = async (url: string): Promise<void> => {
      await migrate(url, { log });
      found.access = await ensureFirstAccess(url, kept);
      writeBootstrap(dataDir, found.access);
    };
    const parts = [
      existing.databaseUrl === undefined ? ["Postgres"] : [],
      existing.kafkaBrokers === undefined ? ["Kafka"] : [],
      existing.registryUrl === undefined ? ["the schema registry"] : [],
    ].flat();
    if (parts.length > 0) log(`starting ${parts.join(", ")} …`);
    const logins = {
      kafkaUsers: this.#access.users,
      rolePasswords: this.#database.passwords,
      registryPasswords: this.#registry.passwords,
    };
    const maxConnections = Math.max(LEAST_CONNECTIONS, copies * CONNECTIONS_PER_COPY);
    const where = { dataDir, walArchive, ports, existing, replicationUrl };
    const place = { ...where, kafkaNodes, maxConnections, ...logins };
    const chooseOwner = (files: readonly string[]) => this.#chooseOwner(files, at);
    this.#stack = new LocalStack({ ...place, log, onDatabase, chooseOwner });
    const addresses = await this.#stack.start();
    const { access } = found;
    if (access === undefined) throw new TypeError("the stack is up without its database");
    const isFirst = access.api_key !== kept?.api_key || access.desk_token !== kept.desk_token;
    return { addresses, access, isFirst };
  }

  /** Who runs Kafka, the registry and the services. */
  async #chooseOwner(files: readonly string[], ports: PublicPorts): Promise<ProcessOwner | null> {
    const { env, log } = this.#options;
    const { dataDir, carriersDir, listenHost } = this.config;
    const carriers = carrierFilesIn(carriersDir).map((file) => join(carriersDir, file));
    const named = FILE_VARIABLES.map((name) => env[name] ?? "").filter((path) => path !== "");
    const needs = {
      files: [...files, ...carriers, ...named.map((path) => resolve(path))],
      folders: [documentsFolder(env, dataDir)],
      host: listenHost,
      ports: [...ports.api, ...ports.desk],
    };
    this.#owner = await serviceOwner(needs, log);
    return this.#owner;
  }

  /** Creates the topics; after a restore, reconciles them with the database. */
  async #prepareTopics(addresses: StackAddresses): Promise<void> {
    const { env, log, signal } = this.#options;
    const { dataDir } = this.config;
    const config = readTopicsConfig({
      ...env,
      KAFKA_BROKERS: addresses.kafkaBrokers,
      SCHEMA_REGISTRY_URL: addresses.registryUrl,
      ...this.#access.adminVariables,
      ...this.#registry.writerVariables,
    });
    if (this.#access.isOurs) {
      const { length } = await ensureRights({ ...config, providers: this.#access.providers });
      log(`rights on Kafka: ${length} granted (npm run topics -- acls prints them)`);
    }
    await ensureTopics({ ...config, log });
    if (this.#access.isOurs) {
      log(await ensureQuotas({ ...config, providers: this.#access.providers }));
    }
    signal.throwIfAborted();
    const place = { databaseUrl: addresses.databaseUrl, bus: config };
    if (!isMarkedRestored(dataDir)) return requireReconciledAt(place, config.prefix);
    log("reconciling the topics with the restored database …");
    const reconciled = await reconcileDatabase(place, config.prefix);
    for (const line of linesOf(reconciled)) log(line);
    clearRestoredMark(dataDir);
  }

  #secretsKey(): string {
    return this.config.secretsKey ?? ensureSecretsKey(this.config.dataDir);
  }

  async #startServices(addresses: StackAddresses, ports: PublicPorts): Promise<void> {
    const { env, log, signal } = this.#options;
    const { dataDir, sandbox, publicApiUrl, copies } = this.config;
    const settings = {
      config: this.config,
      addresses,
      secretsKey: this.#secretsKey(),
      publicApiUrl: publicApiUrl ?? this.#url(ports.api[0]),
    };
    const deskUrl = env["PUBLIC_DESK_URL"] || this.#url(ports.desk[0]);
    const names = SERVICE_NAMES.filter((name) => sandbox || name !== "sandbox-carrier");
    const each = copies === 1 ? "" : `, ${copies} copies of each`;
    log(`starting ${names.length} services${each} …`);
    const supervisor = new Supervisor({
      dataDir,
      env: serviceEnvironment(env, settings),
      envOf: (name) => ({
        ...this.#access.variablesOf(name),
        ...this.#registry.readerVariables,
        ...this.#database.variablesOf(name, addresses.databaseUrl),
        ...(name === "webhook-sender" ? { PUBLIC_DESK_URL: deskUrl } : {}),
      }),
      log,
      owner: this.#owner,
    });
    this.#supervisor = supervisor;
    for (const name of names) {
      for (const [n, copy] of copiesOf(name, copies).entries()) {
        const port = portsOf(name, ports)?.[n];
        supervisor.start(copy, port === undefined ? {} : { port });
      }
    }
    await supervisor.whenReady(signal);
  }

  #url(port: number): string {
    return `http://${reachableHost(this.config.listenHost)}:${port}`;
  }
}

/**
 * The current secret of the key's account for orders' own `webhook_url`, created where it has none. It is read at each
 * start, so that a rotated one is shown too.
 */
export async function readAccountSecret(
  databaseUrl: string,
  apiKey: string,
  box: SecretBox,
): Promise<string> {
  const log = createLogger("first-access", "warn");
  const pool = createPool({ url: databaseUrl, service: "first-access", size: 1, log });
  try {
    const holder = await findKeyHolder(pool, apiKey);
    if (holder === null) throw new AppError("not_found", "The first API key is not valid.");
    const context = { accountId: holder.account_id, box, now: systemClock.now() };
    return await ensureAccountSecret(pool, context);
  } finally {
    await pool.end();
  }
}
