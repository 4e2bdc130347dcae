import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { saslVariables, type SaslLogin } from "../../services/platform/command-addresses.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/security-config.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import type { ListenerPort } from "../start/supervisor/listener-port.ts";
import { until } from "../start/supervisor/until.ts";
import { watchedCommand } from "../start/supervisor/watched-command.ts";
import { JVM_FLAGS } from "./java.ts";
import { KAFKA_ADMIN, kafkaLogin, SASL_MECHANISM, type KafkaUsers } from "./kafka-users.ts";
import type { PartOptions } from "./part-options.ts";
import { giveFolder, writeFor } from "./process-owner.ts";
import { runCommand } from "./run-command.ts";
import { setKafkaPasswords } from "./scram-users.ts";
import { SINGLE_BROKER } from "./single-broker.ts";

type Settings = Readonly<Record<string, string | number>>;

/** Override those of this file; a listener more needs the ports of the others. */
export type KafkaSettings =
  Settings | ((ports: { readonly clients: number; readonly controller: number }) => Settings);

export interface KafkaOptions extends PartOptions {
  readonly java: string;
  /** The folder with the jars. */
  readonly jars: string;
  readonly port: ListenerPort;
  readonly controllerPort: ListenerPort;
  readonly users: KafkaUsers;
  readonly settings: KafkaSettings;
}

export interface KafkaPart {
  readonly program: KeptProgram;
  /** Lets the users log in; to be called once the program is ready. */
  readonly admitUsers: () => Promise<void>;
  /** `host:port`. */
  readonly brokers: () => string;
}

function brokerProperties(
  { port, controllerPort, users, settings }: KafkaOptions,
  logDirs: string,
): string {
  const values: Record<string, string | number | boolean> = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${controllerPort.number}`,
    listeners: `CLIENTS://127.0.0.1:${port.number},CONTROLLER://127.0.0.1:${controllerPort.number}`,
    "advertised.listeners": `CLIENTS://127.0.0.1:${port.number}`,
    "inter.broker.listener.name": "CLIENTS",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    ...accessProperties(users),
    "log.dirs": logDirs,
    ...SINGLE_BROKER,
    ...(typeof settings === "function"
      ? settings({ clients: port.number, controller: controllerPort.number })
      : settings),
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Who may log in, and how: users by SCRAM; the broker itself, and who admits its users, by PLAIN. */
export function accessProperties(users: KafkaUsers): Record<string, string | boolean> {
  const { password } = kafkaLogin(users, KAFKA_ADMIN);
  const security = "org.apache.kafka.common.security";
  const login = `username="${KAFKA_ADMIN}" password="${password}"`;
  const plain = `${security}.plain.PlainLoginModule required ${login} user_${KAFKA_ADMIN}="${password}";`;
  return {
    "listener.name.clients.sasl.enabled.mechanisms": `${SASL_MECHANISM},PLAIN`,
    "listener.name.controller.sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.mechanism.controller.protocol": "PLAIN",
    "listener.name.clients.scram-sha-512.sasl.jaas.config": `${security}.scram.ScramLoginModule required;`,
    "listener.name.clients.plain.sasl.jaas.config": plain,
    "listener.name.controller.plain.sasl.jaas.config": plain,
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": false,
    "super.users": `User:${KAFKA_ADMIN}`,
  };
}

const JAVA_OPTIONS = [
  "-Xmx512m",
  ...JVM_FLAGS,
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
  "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
];

const ADMIT_MS = 20_000;

/** Formats the storage beside its final path and moves it there, so that an interrupted format is repeated. */
async function format(options: KafkaOptions, data: string): Promise<void> {
  if (existsSync(data)) return;
  const folder = join(options.dataDir, "kafka");
  const draft = join(folder, "data.draft");
  const properties = join(folder, "format.properties");
  rmSync(draft, { recursive: true, force: true });
  writeFor(properties, brokerProperties(options, draft), options.owner);
  const clusterId = Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
  // With `=`, because the id may begin with a dash.
  const id = `--cluster-id=${clusterId}`;
  const tool = ["kafka.tools.StorageTool", "format", id, "-c", properties];
  const classPath = ["-cp", join(options.jars, "*")];
  await runCommand(options.java, [...JAVA_OPTIONS, ...classPath, ...tool], {
    ...options.owner,
    cwd: folder,
    signal: options.signal,
  });
  rmSync(properties);
  renameSync(draft, data);
}

/** Whether the broker answers to a client that logs in so. */
async function isUp(brokers: string, login: SaslLogin): Promise<boolean> {
  const admin = createKafka({
    brokers: [brokers],
    security: readKafkaSecurity(saslVariables(login)),
    clientId: "start",
    log: createLogger("start", "silent"),
    retry: { retries: 0 },
  }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } finally {
    await admin.disconnect();
  }
}

/** Formats the storage where there is none and creates the broker's program, without starting it. */
export async function prepareKafka(options: KafkaOptions): Promise<KafkaPart> {
  const { dataDir, jars, java, pidFiles, owner, log, port, controllerPort, users } = options;
  const admin = kafkaLogin(users, KAFKA_ADMIN);
  const folder = join(dataDir, "kafka");
  giveFolder(folder, owner);
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
      // It contains a password.
      writeFor(properties, brokerProperties(options, data), owner);
      return { ...watched, env: process.env, cwd: folder, owner };
    },
    isReady: async () => {
      const ready = await isUp(brokers(), { ...admin, mechanism: "PLAIN" });
      if (ready) for (const settled of [port, controllerPort]) settled.settle();
      return ready;
    },
  });
  const admitUsers = async (): Promise<void> => {
    await setKafkaPasswords({ host: "127.0.0.1", port: port.number }, users);
    // The broker learns of them a moment after its controller.
    const what = "Kafka to admit its users";
    const isAdmitted = () => isUp(brokers(), admin).catch(() => false);
    await until(isAdmitted, { timeoutMs: ADMIT_MS, what, everyMs: 20, signal: options.signal });
  };
  return { program, admitUsers, brokers };
}
