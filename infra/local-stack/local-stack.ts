import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  admitLogins,
  ensureRegistryDatabase,
  giveRegistryItsDatabase,
  loginUrl,
  REGISTRY_ROLE,
  type RolePasswords,
} from "../migrate/login-roles.ts";
import { requireReplicationLogin, requireServer } from "../migrate/require-server.ts";
import { projectRoot } from "../project-root.ts";
import type { KeptProgram } from "../start/supervisor/kept-program.ts";
import { PidFiles } from "../start/supervisor/pid-files.ts";
import { ensureKafka, ensureRegistry, requireJava } from "./artifacts.ts";
import { CONFLUENT_API, type KafkaUsers, type RegistryPasswords } from "./logins.ts";
import type { KafkaSettings, NodeCount } from "./kafka-properties.ts";
import { prepareKafka, type KafkaNodeName } from "./kafka.ts";
import { databaseUrl, ensureDatabase } from "./postgres.ts";
import { preparePostgres } from "./postgres-server.ts";
import type { ProcessOwner } from "./process-owner.ts";
import { prepareRegistry } from "./registry.ts";
import { startRegistryGate, type RegistryGate } from "./registry-gate.ts";
import {
  choosePorts,
  rememberPorts,
  type StackPorts,
  type RequestedPorts,
} from "./remembered-ports.ts";

const HOST = "127.0.0.1";
const POSTGRES_TIMEOUT_MS = 30_000;
const JAVA_TIMEOUT_MS = 90_000;

export interface StackAddresses {
  readonly databaseUrl: string;
  /** `host:port`, several separated by commas. */
  readonly kafkaBrokers: string;
  /** Base of the registry's Confluent API, without a trailing slash. */
  readonly registryUrl: string;
}

export interface LocalStackOptions {
  /** Created where missing; contains all data of the stack. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** False: Postgres flushes nothing to disk, for tests. Default: true. */
  readonly durable?: boolean;
  /** How many connections Postgres allows; default: 200. */
  readonly maxConnections?: number;
  /** The folder to which Postgres archives its write-ahead log; default: none. */
  readonly walArchive?: string | null;
  /** Parts that run elsewhere and are not started here. */
  readonly existing?: Partial<StackAddresses>;
  /** By which the log of an existing Postgres is read; default: its address. */
  readonly replicationUrl?: string | undefined;
  readonly ports?: Partial<RequestedPorts>;
  /** Who may log in to the embedded broker. */
  readonly kafkaUsers: KafkaUsers;
  /** The roles that may log in to the embedded Postgres, the registry's among them. */
  readonly rolePasswords: RolePasswords;
  /** Who may log in to the embedded registry; null, and by default: it asks for no login. */
  readonly registryPasswords?: RegistryPasswords | null;
  /**
   * Chooses who runs Kafka and the registry, which must be able to read these files; null, and by default: we ourselves.
   */
  readonly chooseOwner?: (files: readonly string[]) => Promise<ProcessOwner | null>;
  /** How many nodes Kafka has, each broker and controller; default: 1. The data folder of one number keeps it. */
  readonly kafkaNodes?: NodeCount;
  /** Broker settings that override the defaults. */
  readonly kafkaSettings?: KafkaSettings;
  /** Runs as soon as the database is ready, while Kafka and the registry start. */
  readonly onDatabase?: (url: string) => Promise<void>;
  /** The folder for downloaded programs; default: `.cache/embedded` of the project. */
  readonly cacheDir?: string;
}

/** How long each part may take to stop before it is killed. */
export interface StopGrace {
  readonly javaMs: number;
  readonly postgresMs: number;
}

const DEFAULT_GRACE: StopGrace = { javaMs: 4_500, postgresMs: 3_000 };

/** `kafka` is the first node, or the only one. */
export type PartName = "postgres" | "registry" | KafkaNodeName;

/** Postgres, Kafka and the schema registry on this machine, each a process that is restarted when it dies. */
export class LocalStack {
  readonly #options: LocalStackOptions;
  readonly #stopping = new AbortController();
  readonly #pidFiles: PidFiles;
  readonly #programs = new Map<PartName, KeptProgram>();
  #addresses: StackAddresses | null = null;
  #owner: ProcessOwner | null = null;
  #gate: RegistryGate | null = null;

  constructor(options: LocalStackOptions) {
    this.#options = options;
    mkdirSync(options.dataDir, { recursive: true, mode: 0o755 });
    this.#pidFiles = new PidFiles(join(options.dataDir, "run"));
  }

  /** The addresses of all parts; throws before `start` has returned. */
  get addresses(): StackAddresses {
    if (this.#addresses === null) throw new TypeError("the stack is not up");
    return this.#addresses;
  }

  /** A part's program, to kill, pause or restart it; throws for a part that runs elsewhere. */
  part(name: PartName): KeptProgram {
    const program = this.#programs.get(name);
    if (program === undefined) throw new TypeError(`${name} was not started here`);
    return program;
  }

  /** Resolves when every part is ready and `onDatabase` is done; after an error, `stop` ends what was started. */
  async start(): Promise<StackAddresses> {
    const { dataDir, existing = {}, replicationUrl, onDatabase } = this.#options;
    const { ports: requested = {} } = this.#options;
    const ports = await choosePorts(dataDir, requested, this.#options.kafkaNodes ?? 1);
    const needsJava = existing.kafkaBrokers === undefined || existing.registryUrl === undefined;
    const java = needsJava ? await requireJava(process.env) : "";
    const programs = [...(needsJava ? [java] : []), ...(await this.#downloadPrograms())];
    this.#owner = (await this.#options.chooseOwner?.(programs)) ?? null;
    const database =
      existing.databaseUrl === undefined
        ? this.#startPostgres(ports)
        : usable(existing.databaseUrl, replicationUrl);
    const [url, kafkaBrokers, registryUrl] = await Promise.all([
      database,
      existing.kafkaBrokers ?? this.#startKafka(java, ports),
      existing.registryUrl ?? database.then((at) => this.#startRegistry(java, ports, at)),
      database.then((at) => onDatabase?.(at)),
    ]);
    rememberPorts(dataDir, ports);
    this.#addresses = { databaseUrl: url, kafkaBrokers, registryUrl };
    return this.#addresses;
  }

  /** Stops Kafka and the registry, then Postgres; kills each after its grace period. */
  async stop(grace: StopGrace = DEFAULT_GRACE): Promise<void> {
    this.#stopping.abort();
    await this.#gate?.stop();
    const javas = [...this.#programs].filter(([name]) => name !== "postgres");
    await Promise.all(javas.map(([, program]) => program.stop(grace.javaMs)));
    await this.#programs.get("postgres")?.stop(grace.postgresMs);
  }

  get #common() {
    const { dataDir, log } = this.#options;
    const [pidFiles, owner] = [this.#pidFiles, this.#owner];
    return { dataDir, log, pidFiles, owner, signal: this.#stopping.signal };
  }

  get #downloads() {
    const { cacheDir = join(projectRoot, ".cache", "embedded"), log } = this.#options;
    return { cacheDir, log, signal: this.#stopping.signal };
  }

  // One after the other: two concurrent runs of Maven may corrupt its local repository.
  async #downloadPrograms(): Promise<string[]> {
    const { existing = {} } = this.#options;
    const kafka = existing.kafkaBrokers === undefined ? [await ensureKafka(this.#downloads)] : [];
    if (existing.registryUrl !== undefined) return kafka;
    return [...kafka, await ensureRegistry(this.#downloads)];
  }

  async #startPostgres({ postgres: port }: StackPorts): Promise<string> {
    const { durable = true, walArchive = null, maxConnections = 200 } = this.#options;
    const options = { ...this.#common, port, durable, walArchive, maxConnections };
    const { program, url } = await preparePostgres(options);
    await this.#run("postgres", program, POSTGRES_TIMEOUT_MS);
    const address = url();
    await ensureDatabase(databaseUrl(address, "postgres"), new URL(address).pathname.slice(1));
    await admitLogins(address, this.#options.rolePasswords);
    return address;
  }

  async #startKafka(java: string, ports: StackPorts): Promise<string> {
    const { existing = {}, kafkaSettings: settings = {} } = this.#options;
    if (existing.kafkaBrokers !== undefined) return existing.kafkaBrokers;
    const { programs, admitUsers, brokers } = await prepareKafka({
      ...this.#common,
      java,
      jars: await ensureKafka(this.#downloads),
      nodes: ports.kafkaNodes,
      users: this.#options.kafkaUsers,
      settings,
    });
    // A node alone has no quorum, and so is not ready.
    const running = [...programs].map(([name, program]) =>
      this.#run(name, program, JAVA_TIMEOUT_MS),
    );
    await Promise.all(running);
    await admitUsers();
    return brokers();
  }

  async #startRegistry(java: string, ports: StackPorts, databaseAt: string): Promise<string> {
    const passwords = this.#options.registryPasswords ?? null;
    const { program, url } = prepareRegistry({
      ...this.#common,
      java,
      folder: await ensureRegistry(this.#downloads),
      port: passwords === null ? ports.registry : ports.registryInner,
      databaseUrl: await this.#registryDatabase(databaseAt),
    });
    await this.#run("registry", program, JAVA_TIMEOUT_MS);
    if (passwords === null) return url();
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    const port = await ports.registry.moveIfTaken();
    const gate = await startRegistryGate({ host: HOST, port, passwords, upstream: url });
    this.#gate = gate;
    ports.registry.settle();
    return `http://${HOST}:${gate.port}${CONFLUENT_API}`;
  }

  /** In a Postgres of one's own the registry has the login that was given for it. */
  async #registryDatabase(databaseAt: string): Promise<string> {
    const { existing = {}, rolePasswords } = this.#options;
    if (existing.databaseUrl !== undefined) return ensureRegistryDatabase(databaseAt);
    return loginUrl(await giveRegistryItsDatabase(databaseAt), REGISTRY_ROLE, rolePasswords);
  }

  async #run(name: PartName, program: KeptProgram, timeoutMs: number): Promise<void> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    this.#programs.set(name, program);
    program.start();
    await program.whenReady(timeoutMs, signal);
  }
}

/** A Postgres that was not started here, once it is known to do. */
async function usable(url: string, replicationUrl = url): Promise<string> {
  await requireServer(url);
  await requireReplicationLogin(replicationUrl);
  return url;
}

/** Starts a stack; after a failed start nothing is left running. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const stack = new LocalStack(options);
  try {
    await stack.start();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
