import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { reconcileDatabase, requireReconciledAt } from "../backup/reconcile-database.ts";
import { linesOf } from "../backup/report.ts";
import { clearRestoredMark, isMarkedRestored } from "../backup/restored-mark.ts";
import { readStartConfig } from "./config.ts";
import type { StartConfig } from "./config.ts";
import {
  ensureSecretsKey,
  readBootstrap,
  removeCredentials,
  writeBootstrap,
  writeCredentials,
} from "./credentials.ts";
import type { Credentials } from "./credentials.ts";
import { LocalStack } from "../local-stack/local-stack.ts";
import { ensureFirstAccess } from "./first-access.ts";
import type { FirstAccess } from "./first-access.ts";
import { migrate } from "../migrate/migrate.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { lockDataFolder } from "./supervisor/data-folder-lock.ts";
import { freePort, requireFreePort } from "./supervisor/free-port.ts";
import { PidFiles } from "./supervisor/pid-files.ts";
import { SERVICE_NAMES } from "./supervisor/service-table.ts";
import { reachableHost, Supervisor } from "./supervisor/supervisor.ts";
import { readConfig as readTopicsConfig } from "../topics/config.ts";
import { ensureTopics } from "../topics/ensure-topics.ts";

// All of it fits in the 20 s that a stop may take.
const SERVICES_GRACE_MS = 12_000;
const STACK_GRACE = { javaMs: 4_000, postgresMs: 2_500 };

export interface HouseOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Everything that `npm start` runs; `stop` may be called at any moment of its life. */
export class House {
  readonly config: StartConfig;
  readonly #options: HouseOptions;
  readonly #release: () => void;
  #stack: LocalStack | null = null;
  #supervisor: Supervisor | null = null;

  /** Takes the data folder; throws one sentence when another start holds it. */
  constructor(options: HouseOptions) {
    this.#options = options;
    this.config = readStartConfig(options.env);
    mkdirSync(this.config.dataDir, { recursive: true, mode: 0o755 });
    chmodSync(this.config.dataDir, 0o755);
    this.#release = lockDataFolder(this.config.dataDir);
    // A killed start left its own; nobody may take them for this one's.
    removeCredentials(this.config.dataDir);
  }

  /** Resolves when every service is healthy and the credentials are written. */
  async start(): Promise<Credentials> {
    const { signal, log } = this.#options;
    const { dataDir } = this.config;
    await new PidFiles(join(dataDir, "run")).endLeftovers(log);
    const ports = await this.#frontDoorPorts();
    signal.throwIfAborted();
    const access = await this.#startStack();
    await this.#ensureTopics();
    signal.throwIfAborted();
    await this.#reconcileRestored();
    signal.throwIfAborted();
    await this.#startServices(ports);
    signal.throwIfAborted();
    const credentials = this.#credentials(access, ports);
    writeCredentials(dataDir, credentials);
    return credentials;
  }

  /** Services first, then Kafka and the registry, then Postgres; 0 left running, within 20 s. */
  async stop(): Promise<void> {
    removeCredentials(this.config.dataDir);
    await this.#supervisor?.stop(SERVICES_GRACE_MS);
    await this.#stack?.stop(STACK_GRACE);
    this.#release();
  }

  /** The same at once, by force. */
  async kill(): Promise<void> {
    removeCredentials(this.config.dataDir);
    await this.#supervisor?.stop(0);
    await this.#stack?.stop({ javaMs: 0, postgresMs: 0 });
    this.#release();
  }

  async #frontDoorPorts(): Promise<{ api: number; desk: number }> {
    const { apiPort, deskPort, listenHost } = this.config;
    if (apiPort !== 0) await requireFreePort(apiPort, "API_PORT", listenHost);
    if (deskPort !== 0) await requireFreePort(deskPort, "DESK_PORT", listenHost);
    return {
      api: apiPort === 0 ? await freePort(listenHost) : apiPort,
      desk: deskPort === 0 ? await freePort(listenHost) : deskPort,
    };
  }

  async #startStack(): Promise<FirstAccess> {
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
    const options = { dataDir, walArchive, log, ports, existing, onDatabase };
    this.#stack = new LocalStack(options);
    await this.#stack.start();
    if (found.access === undefined) throw new TypeError("the stack is up without its database");
    return found.access;
  }

  async #ensureTopics(): Promise<void> {
    const { env, log } = this.#options;
    await ensureTopics({ ...readTopicsConfig({ ...env, ...this.#stackVariables() }), log });
  }

  async #reconcileRestored(): Promise<void> {
    const { env, log } = this.#options;
    const { dataDir } = this.config;
    const { prefix } = readTopicsConfig({ ...env, ...this.#stackVariables() });
    if (!isMarkedRestored(dataDir)) return requireReconciledAt(this.#running().addresses, prefix);
    log("reconciling the topics with the restored database …");
    const reconciled = await reconcileDatabase(this.#running().addresses, prefix);
    for (const line of linesOf(reconciled)) log(line);
    clearRestoredMark(dataDir);
  }

  #stackVariables() {
    const { databaseUrl, kafkaBrokers, registryUrl } = this.#running().addresses;
    return {
      DATABASE_URL: databaseUrl,
      KAFKA_BROKERS: kafkaBrokers,
      SCHEMA_REGISTRY_URL: registryUrl,
    };
  }

  #running(): LocalStack {
    if (this.#stack === null) throw new TypeError("the stack was not started");
    return this.#stack;
  }

  async #startServices(ports: { api: number; desk: number }): Promise<void> {
    const { env, log, signal } = this.#options;
    const { dataDir, secretsKey, sandbox, publicApiUrl } = this.config;
    const settings = {
      config: this.config,
      addresses: this.#running().addresses,
      secretsKey: secretsKey ?? ensureSecretsKey(dataDir),
      publicApiUrl: publicApiUrl ?? this.#url(ports.api),
    };
    const names = SERVICE_NAMES.filter((name) => sandbox || name !== "sandbox-carrier");
    log(`starting ${names.length} services …`);
    const supervisor = new Supervisor({ dataDir, env: serviceEnvironment(env, settings), log });
    this.#supervisor = supervisor;
    const fixed = new Map<string, number>([
      ["api", ports.api],
      ["requirement-review", ports.desk],
    ]);
    for (const name of names) {
      const port = fixed.get(name);
      supervisor.start(name, port === undefined ? {} : { port });
    }
    await supervisor.whenReady(signal);
  }

  #credentials(access: FirstAccess, ports: { api: number; desk: number }): Credentials {
    const { databaseUrl, kafkaBrokers, registryUrl } = this.#running().addresses;
    return {
      api_url: this.#url(ports.api),
      desk_url: this.#url(ports.desk),
      ...access,
      kafka_brokers: kafkaBrokers,
      schema_registry_url: registryUrl,
      database_url: databaseUrl,
    };
  }

  #url(port: number): string {
    return `http://${reachableHost(this.config.listenHost)}:${port}`;
  }
}
