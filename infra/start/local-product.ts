import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { reconcileDatabase, requireReconciledAt } from "../backup/reconcile-database.ts";
import { linesOf } from "../backup/report.ts";
import { clearRestoredMark, isMarkedRestored } from "../backup/restored-mark.ts";
import { LocalStack, type StackAddresses } from "../local-stack/local-stack.ts";
import { migrate } from "../migrate/migrate.ts";
import { readConfig as readTopicsConfig } from "../topics/config.ts";
import { ensureRights } from "../topics/ensure-rights.ts";
import { ensureTopics } from "../topics/ensure-topics.ts";
import { createSecretBox } from "../../services/platform/secret-box.ts";
import { readSecretKeys } from "../secrets/find-secret-keys.ts";
import { readStartConfig, type StartConfig } from "./config.ts";
import {
  ensureSecretsKey,
  readBootstrap,
  removeCredentials,
  writeBootstrap,
  writeCredentials,
  type Credentials,
} from "./credentials.ts";
import { ensureFirstAccess, type FirstAccess } from "./first-access.ts";
import { readAccountSecret } from "./first-account-secret.ts";
import { prepareKafkaAccess, type KafkaAccess } from "./kafka-access.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { lockDataFolder } from "./supervisor/data-folder-lock.ts";
import { freePort, requireFreePort } from "./supervisor/free-port.ts";
import { PidFiles } from "./supervisor/pid-files.ts";
import { SERVICE_NAMES } from "./supervisor/service-table.ts";
import { reachableHost, Supervisor } from "./supervisor/supervisor.ts";

// Together less than the 20 s that a stop may take.
const SERVICES_GRACE_MS = 12_000;
const STACK_GRACE = { javaMs: 4_000, postgresMs: 2_500 };

export interface LocalProductOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

interface PublicPorts {
  readonly api: number;
  readonly desk: number;
}

/** The whole product as `npm start` runs it: the local stack and every service. `stop` may be called at any time. */
export class LocalProduct {
  readonly config: StartConfig;
  readonly #options: LocalProductOptions;
  readonly #unlock: () => void;
  readonly #access: KafkaAccess;
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
    this.#access = prepareKafkaAccess(this.config);
  }

  /** Resolves when every service is healthy and the credentials are written. */
  async start(): Promise<Credentials> {
    const { signal, log } = this.#options;
    const { dataDir } = this.config;
    await new PidFiles(join(dataDir, "run")).endLeftovers(log);
    const ports = await this.#publicPorts();
    signal.throwIfAborted();
    const { addresses, access } = await this.#startStack();
    await this.#prepareTopics(addresses);
    signal.throwIfAborted();
    await this.#startServices(addresses, ports);
    signal.throwIfAborted();
    const box = createSecretBox(readSecretKeys(this.#secretsKey()));
    const credentials: Credentials = {
      api_url: this.#url(ports.api),
      desk_url: this.#url(ports.desk),
      ...access,
      webhook_signing_secret: await readAccountSecret(addresses.databaseUrl, access.api_key, box),
      kafka_brokers: addresses.kafkaBrokers,
      ...this.#access.credentials,
      schema_registry_url: addresses.registryUrl,
      database_url: addresses.databaseUrl,
    };
    writeCredentials(dataDir, credentials);
    return credentials;
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

  async #publicPorts(): Promise<PublicPorts> {
    const { apiPort, deskPort, listenHost } = this.config;
    if (apiPort !== 0) await requireFreePort(apiPort, "API_PORT", listenHost);
    if (deskPort !== 0) await requireFreePort(deskPort, "DESK_PORT", listenHost);
    return {
      api: apiPort === 0 ? await freePort(listenHost) : apiPort,
      desk: deskPort === 0 ? await freePort(listenHost) : deskPort,
    };
  }

  async #startStack(): Promise<{ addresses: StackAddresses; access: FirstAccess }> {
    const { dataDir, walArchive, ports, existing } = this.config;
    const { log } = this.#options;
    const found: { access?: FirstAccess } = {};
    const onDatabase = async (url: string): Promise<void> => {
      await migrate(url);
      found.access = await ensureFirstAccess(url, readBootstrap(dataDir));
      writeBootstrap(dataDir, found.access);
    };
    const parts = [
      existing.databaseUrl === undefined ? ["Postgres"] : [],
      existing.kafkaBrokers === undefined ? ["Kafka"] : [],
      existing.registryUrl === undefined ? ["the schema registry"] : [],
    ].flat();
    if (parts.length > 0) log(`starting ${parts.join(", ")} …`);
    const kafkaUsers = this.#access.users;
    const place = { dataDir, walArchive, ports, existing, kafkaUsers };
    this.#stack = new LocalStack({ ...place, log, onDatabase });
    const addresses = await this.#stack.start();
    if (found.access === undefined) throw new TypeError("the stack is up without its database");
    return { addresses, access: found.access };
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
    });
    await ensureTopics({ ...config, log });
    if (this.#access.isOurs) {
      const { length } = await ensureRights({ ...config, providers: this.#access.providers });
      log(`rights on Kafka: ${length} granted (npm run topics -- acls prints them)`);
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
    const { dataDir, sandbox, publicApiUrl } = this.config;
    const settings = {
      config: this.config,
      addresses,
      secretsKey: this.#secretsKey(),
      publicApiUrl: publicApiUrl ?? this.#url(ports.api),
    };
    const names = SERVICE_NAMES.filter((name) => sandbox || name !== "sandbox-carrier");
    log(`starting ${names.length} services …`);
    const supervisor = new Supervisor({
      dataDir,
      env: serviceEnvironment(env, settings),
      envOf: (name) => this.#access.variablesOf(name),
      log,
    });
    this.#supervisor = supervisor;
    for (const name of names) {
      if (name === "api") supervisor.start(name, { port: ports.api });
      else if (name === "requirement-review") supervisor.start(name, { port: ports.desk });
      else supervisor.start(name);
    }
    await supervisor.whenReady(signal);
  }

  #url(port: number): string {
    return `http://${reachableHost(this.config.listenHost)}:${port}`;
  }
}
