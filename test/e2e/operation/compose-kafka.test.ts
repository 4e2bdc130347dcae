/** @tier all */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import { ensureKafka, requireJava } from "../../../infra/local-stack/artifacts.ts";
import { passwordNames } from "../../../infra/passwords-config.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { composeService, environmentOf, interpolate } from "../../support/programs/compose-file.ts";
import { mayRead, mayWrite } from "../../support/stack/kafka-attempts.ts";

const run = promisify(execFile);
const folder = temporaryFolder("compose-kafka");
const passwords = Object.fromEntries(passwordNames.map((name) => [name, `of-${name}`]));
const variables = { ...passwords, POSTGRES_PASSWORD: "unused", SECRETS_KEY: "dW51c2Vk" };
const CALLS = "carriers.calls";

let port: number;

/** The container's variables with ports and folder of this machine. */
async function brokerEnvironment(): Promise<Record<string, string>> {
  const controller = await freePort();
  const moved = Object.entries(environmentOf("kafka", variables)).map(([name, value]) => [
    name,
    value
      .replace("CLIENTS://:9092", `CLIENTS://127.0.0.1:${port}`)
      .replace("kafka:9092", `127.0.0.1:${port}`)
      .replace("127.0.0.1:9093", `127.0.0.1:${controller}`)
      .replace("/var/lib/kafka/data", join(folder, "data")),
  ]);
  return {
    ...(Object.fromEntries(moved) as Record<string, string>),
    CLUSTER_ID: "5L6g3nShT-eMCtK--X86sw",
  };
}

/** Starts Kafka as its image does: by the image's own program, which makes the configuration of the variables. */
async function startBroker(): Promise<void> {
  const java = await requireJava(process.env);
  const jars = await ensureKafka({
    cacheDir: join(projectRoot, ".cache", "embedded"),
    log: () => undefined,
    signal: new AbortController().signal,
  });
  const [defaults, mounted, final] = ["default", "mounted", "final"].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string];
  for (const name of ["server.properties", "log4j2.yaml", "tools-log4j2.yaml"]) {
    writeFileSync(join(defaults, name), "");
  }
  const classPath = ["-cp", join(jars, "*")];
  const folders = ["-D", defaults, "-M", mounted, "-F", final];
  const env = await brokerEnvironment();
  await run(java, [...classPath, "kafka.docker.KafkaDockerWrapper", "setup", ...folders], { env });
  const args = ["-Xmx256m", ...classPath, "kafka.Kafka", join(final, "server.properties")];
  const broker = spawn(java, args, { stdio: "ignore" });
  const ended = once(broker, "exit");
  endAfterTests(async () => {
    broker.kill("SIGKILL");
    await ended;
  });
}

async function isHealthy(): Promise<boolean> {
  const [, command = "", ...args] = composeService("kafka").healthcheck?.test ?? [];
  const asked = args.map((arg) => interpolate(arg, {}).replace("/9092", `/${port}`));
  return run(command, asked).then(
    () => true,
    () => false,
  );
}

/** A client with the login of a container. */
function clientOf(container: string, over: Record<string, string> = {}): Kafka {
  return createKafka({
    brokers: [`127.0.0.1:${port}`],
    security: readKafkaSecurity({ ...environmentOf(container, variables), ...over }),
    clientId: container,
    log: createLogger("test", "silent"),
    retry: { retries: 1 },
  });
}

beforeAll(async () => {
  port = await freePort();
  await startBroker();
  await eventually(async () => expect(await isHealthy()).toBe(true), 60_000);
  const env = { ...environmentOf("kafka-access", variables), KAFKA_BROKERS: `127.0.0.1:${port}` };
  const job = join(projectRoot, "infra", "kafka-access", "main.ts");
  const { stdout } = await run(process.execPath, [job], { env, cwd: projectRoot });
  expect(stdout).toContain("11 users may log in");
  const admin = clientOf("topics").admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: CALLS }, { topic: "porting.events" }] });
  await admin.disconnect();
});

describe("the Kafka of docker-compose.yml", () => {
  it("lets a service do what its rights allow, and nothing else", async () => {
    const adapter = clientOf("carrier-adapter");
    expect(await mayWrite(adapter, "porting.events")).toBe(true);
    expect(await mayWrite(adapter, CALLS)).toBe(false);
    // A new broker makes its groups' coordinator when it is first asked for.
    await eventually(async () => {
      const asked = { topic: CALLS, group: "carrier-adapter-calls" };
      expect(await mayRead(adapter, asked)).toBe(true);
    });
    expect(await mayWrite(clientOf("api"), "porting.events")).toBe(false);
  });

  it("admits nobody without a login, or with another's password", async () => {
    const strangers = [
      { KAFKA_SASL_MECHANISM: "", KAFKA_SASL_USERNAME: "", KAFKA_SASL_PASSWORD: "" },
      { KAFKA_SASL_PASSWORD: "wrong" },
      { KAFKA_SASL_USERNAME: "admin" },
      { KAFKA_SASL_MECHANISM: "PLAIN" },
    ];
    for (const over of strangers) {
      const admin = clientOf("api", over).admin();
      await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow();
      await admin.disconnect();
    }
  });
});
