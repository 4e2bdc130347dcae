import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kafka, logLevel } from "kafkajs";
import { mendRequestTimer } from "../../services/platform/kafka/request-timer.ts";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import type { ListenerPort } from "../start/supervisor/listener-port.ts";
import { watchedCommand } from "../start/supervisor/watched-command.ts";
import { JVM_FLAGS } from "./java.ts";
import type { PartOptions } from "./part-options.ts";
import { runCommand } from "./run-command.ts";
import { SINGLE_BROKER } from "./single-broker.ts";

export interface KafkaOptions extends PartOptions {
  readonly java: string;
  /** The folder with the jars. */
  readonly jars: string;
  readonly port: ListenerPort;
  readonly controllerPort: ListenerPort;
  /** Override those of `SINGLE_BROKER`. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface KafkaPart {
  readonly program: KeptProgram;
  /** `host:port`. */
  readonly brokers: () => string;
}

function brokerProperties(
  { port, controllerPort, settings }: KafkaOptions,
  logDirs: string,
): string {
  const values: Record<string, string | number> = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${controllerPort.number}`,
    listeners: `PLAINTEXT://127.0.0.1:${port.number},CONTROLLER://127.0.0.1:${controllerPort.number}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${port.number}`,
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "log.dirs": logDirs,
    ...SINGLE_BROKER,
    ...settings,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

const JAVA_OPTIONS = [
  "-Xmx512m",
  ...JVM_FLAGS,
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
  "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
];

/** Formats the storage beside its final path and moves it there, so that an interrupted format is repeated. */
async function format(options: KafkaOptions, data: string): Promise<void> {
  if (existsSync(data)) return;
  const folder = join(options.dataDir, "kafka");
  const draft = join(folder, "data.draft");
  const properties = join(folder, "format.properties");
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(properties, brokerProperties(options, draft));
  const clusterId = Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
  // With `=`, because the id may begin with a dash.
  const id = `--cluster-id=${clusterId}`;
  const tool = ["kafka.tools.StorageTool", "format", id, "-c", properties];
  const classPath = ["-cp", join(options.jars, "*")];
  await runCommand(options.java, [...JAVA_OPTIONS, ...classPath, ...tool], {
    signal: options.signal,
  });
  rmSync(properties);
  renameSync(draft, data);
}

async function isUp(brokers: string): Promise<boolean> {
  const client = { clientId: "start", brokers: [brokers], logLevel: logLevel.NOTHING };
  const limits = { connectionTimeout: 1_000, requestTimeout: 2_000, retry: { retries: 0 } };
  mendRequestTimer();
  const admin = new Kafka({ ...client, ...limits }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } finally {
    await admin.disconnect();
  }
}

/** Formats the storage where there is none and creates the broker's program, without starting it. */
export async function prepareKafka(options: KafkaOptions): Promise<KafkaPart> {
  const { dataDir, jars, java, pidFiles, log, port, controllerPort } = options;
  const folder = join(dataDir, "kafka");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = join(folder, "data");
  await format(options, data);
  const properties = join(folder, "server.properties");
  const brokers = (): string => `127.0.0.1:${port.number}`;
  const args = [...JAVA_OPTIONS, "-cp", join(jars, "*"), "kafka.Kafka", properties];
  const watched = watchedCommand({ command: java, args }, { stop: "SIGTERM", force: "SIGKILL" });
  const program = new KeptProgram({
    name: "kafka",
    logPath: join(dataDir, "logs", "kafka.log"),
    pidFiles,
    stopSignal: "SIGTERM",
    log,
    launch: async () => {
      await Promise.all([port.moveIfTaken(), controllerPort.moveIfTaken()]);
      writeFileSync(properties, brokerProperties(options, data));
      return { ...watched, env: process.env, cwd: folder };
    },
    isReady: async () => {
      const ready = await isUp(brokers());
      if (ready) for (const settled of [port, controllerPort]) settled.settle();
      return ready;
    },
  });
  return { program, brokers };
}
