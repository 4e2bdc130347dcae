import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import type { KeptProgram } from "../start/supervisor/kept-program.ts";
import { PidFiles } from "../start/supervisor/pid-files.ts";
import { ensureKafka, ensureRegistry } from "./artifacts.ts";
import { requireJava } from "./java.ts";
import { prepareKafka } from "./kafka.ts";
import { databaseUrl, ensureDatabase, preparePostgres } from "./postgres.ts";
import { prepareRegistry } from "./registry.ts";
import { choosePorts, rememberPorts } from "./remembered-ports.ts";
import type { EmbeddedPorts, WishedPorts } from "./remembered-ports.ts";

const POSTGRES_TIMEOUT_MS = 30_000;
const JAVA_TIMEOUT_MS = 90_000;
const REGISTRY_DATABASE = "registry";

export interface StackAddresses {
  readonly databaseUrl: string;
  /** `host:port`, several separated by commas. */
  readonly kafkaBrokers: string;
  /** Base of the registry's Confluent API, without a trailing slash. */
  readonly registryUrl: string;
}

export interface EmbeddedOptions {
  /** Made where missing; everything that a stack keeps lies below it. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** False: Postgres flushes nothing, for tests. True unless given. */
  readonly durable?: boolean;
  /** Where Postgres archives its write-ahead log; nowhere unless given. */
  readonly walArchive?: string | null;
  /** Parts that run elsewhere: used, not started. */
  readonly existing?: Partial<StackAddresses>;
  readonly ports?: Partial<WishedPorts>;
  /** Of the broker, where it is to have others than its own. */
  readonly kafkaSettings?: Readonly<Record<string, string | number>>;
  /** Runs as soon as the database is there, beside the start of Kafka and the registry. */
  readonly onDatabase?: (url: string) => Promise<void>;
  /** Where the fetched programs are kept; `.cache/embedded` of the project unless given. */
  readonly cacheDir?: string;
}

/** How long each kind of part may take to stop before it is forced. */
export interface StopGrace {
  readonly javaMs: number;
  readonly postgresMs: number;
}

const DEFAULT_GRACE: StopGrace = { javaMs: 4_500, postgresMs: 3_000 };

type PartName = "postgres" | "kafka" | "registry";

/** Postgres, Kafka and the schema registry on this machine: processes of their own that are kept running. */
export class EmbeddedStack {
  readonly #options: EmbeddedOptions;
  readonly #stopping = new AbortController();
  readonly #pidFiles: PidFiles;
  readonly #programs = new Map<PartName, KeptProgram>();
  #addresses: StackAddresses | null = null;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    mkdirSync(options.dataDir, { recursive: true, mode: 0o755 });
    this.#pidFiles = new PidFiles(join(options.dataDir, "run"));
  }

  /** Where everything answers; throws before `start` has returned. */
  get addresses(): StackAddresses {
    if (this.#addresses === null) throw new TypeError("the stack is not up");
    return this.#addresses;
  }

  /** A part's program, to kill, pause or restart it; throws for one that runs elsewhere. */
  part(name: PartName): KeptProgram {
    const program = this.#programs.get(name);
    if (program === undefined) throw new TypeError(`${name} was not started here`);
    return program;
  }

  /** Resolves when every part answers and `onDatabase` is done; on an error, stop what was begun with `stop`. */
  async start(): Promise<StackAddresses> {
    const { dataDir, existing = {}, ports: wished } = this.#options;
    const anyPort = { postgres: null, kafka: null, registry: null };
    const ports = await choosePorts(dataDir, { ...anyPort, ...wished });
    const needsJava = existing.kafkaBrokers === undefined || existing.registryUrl === undefined;
    const java = needsJava ? await requireJava(process.env) : "";
    await this.#fetch();
    const database = this.#startPostgres(ports);
    const [url, kafkaBrokers, registryUrl] = await Promise.all([
      database,
      this.#startKafka(java, ports),
      database.then((databaseAt) => this.#startRegistry(java, ports, databaseAt)),
      database.then((databaseAt) => this.#options.onDatabase?.(databaseAt)),
    ]);
    rememberPorts(dataDir, ports);
    this.#addresses = { databaseUrl: url, kafkaBrokers, registryUrl };
    return this.#addresses;
  }

  /** Stops all: Kafka and the registry first, then Postgres, each by force when its time is over. */
  async stop(grace: StopGrace = DEFAULT_GRACE): Promise<void> {
    this.#stopping.abort();
    await Promise.all([
      this.#programs.get("kafka")?.stop(grace.javaMs),
      this.#programs.get("registry")?.stop(grace.javaMs),
    ]);
    await this.#programs.get("postgres")?.stop(grace.postgresMs);
  }

  get #common() {
    const { dataDir, log } = this.#options;
    return { dataDir, log, pidFiles: this.#pidFiles, signal: this.#stopping.signal };
  }

  get #fetchOptions() {
    const { cacheDir = join(projectRoot, ".cache", "embedded"), log } = this.#options;
    return { cacheDir, log, signal: this.#stopping.signal };
  }

  // One after the other: two Mavens at once may spoil their shared repository.
  async #fetch(): Promise<void> {
    const { existing = {} } = this.#options;
    if (existing.kafkaBrokers === undefined) await ensureKafka(this.#fetchOptions);
    if (existing.registryUrl === undefined) await ensureRegistry(this.#fetchOptions);
  }

  async #startPostgres({ postgres: port }: EmbeddedPorts): Promise<string> {
    const { existing = {}, durable = true, walArchive = null } = this.#options;
    if (existing.databaseUrl !== undefined) return existing.databaseUrl;
    const options = { ...this.#common, port, durable, walArchive };
    const { program, url } = await preparePostgres(options);
    await this.#run("postgres", program, POSTGRES_TIMEOUT_MS);
    const address = url();
    await ensureDatabase(databaseUrl(address, "postgres"), new URL(address).pathname.slice(1));
    return address;
  }

  async #startKafka(java: string, ports: EmbeddedPorts): Promise<string> {
    const { existing = {}, kafkaSettings: settings = {} } = this.#options;
    if (existing.kafkaBrokers !== undefined) return existing.kafkaBrokers;
    const { program, brokers } = await prepareKafka({
      ...this.#common,
      java,
      jars: await ensureKafka(this.#fetchOptions),
      port: ports.kafka,
      controllerPort: ports.kafkaController,
      settings,
    });
    await this.#run("kafka", program, JAVA_TIMEOUT_MS);
    return brokers();
  }

  async #startRegistry(java: string, ports: EmbeddedPorts, databaseAt: string): Promise<string> {
    const { existing = {} } = this.#options;
    if (existing.registryUrl !== undefined) return existing.registryUrl;
    await ensureDatabase(databaseAt, REGISTRY_DATABASE);
    const { program, url } = prepareRegistry({
      ...this.#common,
      java,
      folder: await ensureRegistry(this.#fetchOptions),
      port: ports.registry,
      databaseUrl: databaseUrl(databaseAt, REGISTRY_DATABASE),
    });
    await this.#run("registry", program, JAVA_TIMEOUT_MS);
    return url();
  }

  async #run(name: PartName, program: KeptProgram, timeoutMs: number): Promise<void> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    this.#programs.set(name, program);
    program.start();
    await program.whenReady(timeoutMs, signal);
  }
}

/** Brings up a stack of its own; where that fails, nothing of it is left running. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedStack> {
  const stack = new EmbeddedStack(options);
  try {
    await stack.start();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
