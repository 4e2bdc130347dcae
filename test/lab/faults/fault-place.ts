import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import { databaseUrl, ensureDatabase } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { newId } from "../../../services/platform/ids.ts";
import { FaultProxy } from "../../support/net/fault-proxy.ts";
import type { ProductPlace } from "../../support/product/product.ts";
import { TEST_LOGINS } from "../../support/stack/database-access.ts";
import { startFaultReceiver, type FaultReceiver } from "./fault-receiver.ts";

const SIZE_MB = 768;
const BALLAST = ".ballast";
const CHUNKS = [1024 * 1024, 4 * 1024];

/** A small file system in memory, which can be filled; mounting it takes root. */
class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static mount(folder: string): SmallDisk {
    mkdirSync(folder, { mode: 0o755 });
    const options = `size=${SIZE_MB}m,mode=0755`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "porting-faults", folder]);
    return new SmallDisk(folder);
  }

  /** Writes until no byte is free. */
  fill(): void {
    const file = openSync(join(this.#folder, BALLAST), "a");
    try {
      for (const size of CHUNKS) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.#folder, BALLAST), { force: true });
  }

  unmount(): void {
    execFileSync("umount", ["--lazy", this.#folder]);
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** The parts of the stack that are reached through a proxy. */
export type LinkName = "postgres" | "kafka" | "registry" | "receiver";

export type FaultLinks = Readonly<Record<LinkName, FaultProxy>>;

/** The stack of fault scenarios: the services and webhooks reach every part of it through a proxy. */
export interface FaultPlace {
  readonly stack: LocalStack;
  readonly links: FaultLinks;
  readonly disk: SmallDisk | null;
  /** The proxied address. */
  readonly receiver: FaultReceiver;
  /** A new, migrated database: its address through the proxy, and that around it. */
  newDatabase(): Promise<{ readonly proxied: ProductPlace; readonly direct: ProductPlace }>;
  stop(): Promise<void>;
}

export interface FaultPlaceOptions {
  /** The part whose data is on a small file system of its own. */
  readonly smallDisk: "postgres" | "kafka" | null;
  readonly log: (line: string) => void;
}

const SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;";

/** Starts the stack in a temporary folder; `stop` removes everything. */
export async function startFaultPlace({ smallDisk, log }: FaultPlaceOptions): Promise<FaultPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), "porting-faults-"));
  chmodSync(dataDir, 0o755);
  const disk = smallDisk === null ? null : SmallDisk.mount(join(dataDir, smallDisk));
  const ends: (() => unknown)[] = [
    () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }),
    () => disk?.unmount(),
  ];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const [brokerPort, receiver] = [await freePort(), await startFaultReceiver()];
    ends.push(() => receiver.stop());
    const ports = { postgres: 0, kafka: brokerPort, registry: 0, receiver: portOf(receiver.url) };
    const links = await startLinks(ports);
    ends.push(...Object.values(links).map((link) => () => link.stop()));
    const stack = new LocalStack({
      dataDir,
      log,
      ...TEST_LOGINS,
      kafkaSettings: proxiedListener(brokerPort, links.kafka.port),
    });
    ends.push(() => stack.stop());
    const direct = await stack.start();
    ports.postgres = portOf(direct.databaseUrl);
    ports.registry = portOf(direct.registryUrl);
    receiver.url = at(receiver.url, links.receiver);
    const newDatabase = async () => {
      const name = `faults_${newId(new Date()).replaceAll("-", "")}`;
      await ensureDatabase(databaseUrl(direct.databaseUrl, "postgres"), name);
      const own = { ...direct, databaseUrl: databaseUrl(direct.databaseUrl, name) };
      await migrate(own.databaseUrl);
      return { direct: own, proxied: throughLinks(own, links) };
    };
    return { stack, links, disk, receiver, newDatabase, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startLinks(ports: Readonly<Record<LinkName, number>>): Promise<FaultLinks> {
  const start = (name: LinkName) => FaultProxy.start(() => ports[name]);
  return {
    postgres: await start("postgres"),
    kafka: await start("kafka"),
    registry: await start("registry"),
    receiver: await start("receiver"),
  };
}

/** A further listener, whose clients learn the proxy's address; the one that the harness uses stays as it is. */
function proxiedListener(brokerPort: number, proxyPort: number) {
  return ({ clients, controller }: { readonly clients: number; readonly controller: number }) => ({
    listeners: `CLIENTS://127.0.0.1:${clients},PROXIED://127.0.0.1:${brokerPort},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `CLIENTS://127.0.0.1:${clients},PROXIED://127.0.0.1:${proxyPort}`,
    "listener.security.protocol.map":
      "CLIENTS:SASL_PLAINTEXT,PROXIED:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    "listener.name.proxied.sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "listener.name.proxied.scram-sha-512.sasl.jaas.config": SCRAM,
  });
}

function throughLinks(place: ProductPlace, links: FaultLinks): ProductPlace {
  return {
    databaseUrl: at(place.databaseUrl, links.postgres),
    kafkaBrokers: `127.0.0.1:${links.kafka.port}`,
    registryUrl: at(place.registryUrl, links.registry),
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

function at(url: string, { port }: FaultProxy): string {
  return url.replace(`:${portOf(url)}`, `:${port}`);
}
