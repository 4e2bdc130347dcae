import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../../../infra/project-root.ts";
import { freePort } from "../../../../infra/start/supervisor/ports.ts";
import { Supervisor } from "../../../../infra/start/supervisor/supervisor.ts";
import { numbersFrom } from "../../../support/product/test-numbers.ts";
import type { OwnProduct } from "../../../support/product/product.ts";
import { TEST_REGISTRY, TEST_USERS } from "../../../support/stack/kafka-access.ts";
import { startFaultReceiver } from "../fault-receiver.ts";
import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { driveCluster } from "./drive-cluster.ts";
import { checkOut, startRelease, type StartCredentials } from "./past-release.ts";

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
