import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../../../infra/project-root.ts";
import { freePort } from "../../../../infra/start/supervisor/ports.ts";
import { Supervisor } from "../../../../infra/start/supervisor/supervisor.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import type { OwnProduct } from "../../../support/product/product.ts";
import { numbersFrom } from "../../../support/product/test-numbers.ts";
import { TEST_REGISTRY, TEST_USERS } from "../../../support/stack/kafka-access.ts";
import { startFaultReceiver } from "../fault-receiver.ts";
import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { driveCluster } from "./drive-cluster.ts";

const runProgram = promisify(execFile);
const UP_MS = 240_000;

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });
const credentialsFile = z.object({
  api_url: z.string(),
  desk_url: z.string(),
  api_key: z.string(),
  desk_token: z.string(),
  database_url: z.string(),
  kafka_brokers: z.string(),
  schema_registry_url: z.string(),
});

type StartCredentials = z.output<typeof credentialsFile>;

/** Puts the sources of a git revision, with the packages of its lock file, into a folder. */
async function checkOut(revision: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const archive = join(folder, "source.tar");
  await runProgram("git", ["archive", "--output", archive, revision], { cwd: projectRoot });
  await runProgram("tar", ["-xf", archive, "-C", folder]);
  await runProgram("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  // Kafka and the registry are the same files.
  symlinkSync(join(projectRoot, ".cache"), join(folder, ".cache"));
}

export interface RunningRelease {
  readonly credentials: StartCredentials;
  /** Resolves when everything has ended. */
  stop(): Promise<void>;
}

/** Runs `npm start` of the release in a folder until it is up. */
async function startRelease(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningRelease> {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const [, ...args] = packageFile.parse(JSON.parse(text)).scripts.start.split(" ");
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  const file = join(env["DATA_DIR"] ?? "", "credentials.json");
  try {
    const isUp = (): boolean => {
      if (child.exitCode !== null) throw new Error(output);
      return existsSync(file);
    };
    await until(isUp, { timeoutMs: UP_MS, what: `npm start in ${folder}` });
  } catch (error) {
    await stop();
    throw error;
  }
  return { credentials: credentialsFile.parse(JSON.parse(readFileSync(file, "utf8"))), stop };
}

/**
 * `npm start` of an earlier git revision is stopped under load and this version's is started on the same data folder;
 * clients try again until they are answered. Nothing may be lost or doubled.
 */
export async function run(context: ClusterContext, revision: string): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), "porting-upgrade-"));
  chmodSync(folder, 0o755);
  const [past, dataDir] = [join(folder, "past"), join(folder, "data")];
  context.log(`installing ${revision}`);
  await checkOut(revision, past);
  const env = await environment(dataDir);
  const receiver = await startFaultReceiver();
  let release = await startRelease(past, env);
  context.log("the earlier version is up");
  try {
    const product = productOf(release.credentials, dataDir);
    const cluster = { product, receiver, balancers: [] };
    let awayMs = 0;
    const disturb = async (): Promise<void> => {
      const since = performance.now();
      await release.stop();
      context.log("the earlier version has stopped; starting this one");
      release = await startRelease(projectRoot, env);
      awayMs = Math.round(performance.now() - since);
    };
    const { figures, breaches } = await driveCluster(cluster, { context, disturb });
    return { figures: { ...figures, away_ms: awayMs }, breaches };
  } finally {
    await release.stop();
    await receiver.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function environment(dataDir: string): Promise<Record<string, string>> {
  mkdirSync(dataDir, { mode: 0o755 });
  // The Kafka of this version keeps these passwords, with which the history is read from its topics.
  writeFileSync(join(dataDir, "kafka-users.json"), JSON.stringify(TEST_USERS), { mode: 0o600 });
  writeFileSync(join(dataDir, "registry-logins.json"), JSON.stringify(TEST_REGISTRY), {
    mode: 0o600,
  });
  return {
    DATA_DIR: dataDir,
    API_PORT: String(await freePort()),
    DESK_PORT: String(await freePort()),
    SECRETS_KEY,
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

const SECRETS_KEY = randomBytes(32).toString("base64");

/** Both releases listen on the same ports. */
function productOf(credentials: StartCredentials, dataDir: string): OwnProduct {
  return {
    apiUrl: credentials.api_url,
    deskUrl: credentials.desk_url,
    apiKey: credentials.api_key,
    deskToken: credentials.desk_token,
    databaseUrl: credentials.database_url,
    kafkaBrokers: credentials.kafka_brokers,
    registryUrl: credentials.schema_registry_url,
    topicPrefix: "",
    secretsKey: SECRETS_KEY,
    newNumber: numbersFrom(0),
    logFolder: join(dataDir, "logs"),
    supervisor: new Supervisor({ dataDir, env: {}, log: () => undefined }),
    stop: () => Promise.resolve(),
  };
}
