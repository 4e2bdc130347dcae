import { rmSync } from "node:fs";
import { join } from "node:path";
import { saslVariables, type SaslLogin } from "../../services/platform/command-line.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import { watchedCommand } from "../start/supervisor/watched-command.ts";
import { JVM_FLAGS } from "./java.ts";
import { nodeProperties, type ClusterProperties } from "./kafka-properties.ts";
import { dataOf, formatStorage } from "./kafka-storage.ts";
import { KAFKA_ADMIN, kafkaLogin } from "./kafka-users.ts";
import type { PartOptions } from "./part-options.ts";
import { giveFolder, writeFor } from "./process-owner.ts";
import type { NodePorts } from "./remembered-ports.ts";
import { runCommand } from "./run-command.ts";

export interface KafkaOptions extends PartOptions, ClusterProperties {
  readonly java: string;
  /** The folder with the jars. */
  readonly jars: string;
}

/** The name of a node's program, log and pid file. */
export type KafkaNodeName = "kafka" | `kafka#${number}`;

export interface KafkaNode {
  readonly id: number;
  readonly name: KafkaNodeName;
  readonly ports: NodePorts;
  readonly folder: string;
}

/** The nodes, by their ports; the first has the folder and the names of the only one. */
export function nodesOf({ dataDir, nodes }: Pick<KafkaOptions, "dataDir" | "nodes">): KafkaNode[] {
  const folder = join(dataDir, "kafka");
  return nodes.map((ports, n) =>
    n === 0
      ? { id: 1, name: "kafka", ports, folder }
      : { id: n + 1, name: `kafka#${n + 1}`, ports, folder: join(folder, `node-${n + 1}`) },
  );
}

function javaOptions({ nodes }: ClusterProperties): string[] {
  return [
    // It grows as it must: by default it would begin with a 64th of the machine's memory, and use all of that.
    "-Xms64m",
    nodes.length === 1 ? "-Xmx512m" : "-Xmx384m",
    ...JVM_FLAGS,
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  ];
}

/** Formats a node's storage where there is none. */
export async function formatNode(
  options: KafkaOptions,
  { id, ports, folder }: KafkaNode,
  clusterId: string,
): Promise<void> {
  const { owner, java, jars, signal } = options;
  giveFolder(folder, owner);
  await formatStorage(folder, async (draft) => {
    const properties = join(folder, "format.properties");
    writeFor(properties, nodeProperties(options, { id, ports, logDirs: draft }), owner);
    // With `=`, because the id may begin with a dash.
    const cluster = `--cluster-id=${clusterId}`;
    const tool = ["kafka.tools.StorageTool", "format", cluster, "-c", properties];
    const args = [...javaOptions(options), "-cp", join(jars, "*"), ...tool];
    await runCommand(java, args, { ...owner, cwd: folder, signal });
    rmSync(properties);
  });
}

/** The ids of the brokers that a node knows to be up, for a client that logs in so. */
export async function brokersUp(brokers: string, login: SaslLogin): Promise<number[]> {
  const admin = createKafka({
    brokers: [brokers],
    security: readKafkaSecurity(saslVariables(login)),
    clientId: "start",
    log: createLogger("start", "silent"),
    retry: { retries: 0 },
  }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.map(({ nodeId }) => nodeId);
  } finally {
    await admin.disconnect();
  }
}

/** `host:port` of a node's listener for clients. */
export function addressOf({ ports }: KafkaNode): string {
  return `127.0.0.1:${ports.clients.number}`;
}

/** The program of a formatted node, without starting it. It is ready once it knows itself as a broker that is up. */
export function nodeProgram(options: KafkaOptions, node: KafkaNode): KeptProgram {
  const { dataDir, jars, java, pidFiles, owner, log, users } = options;
  const { id, name, ports, folder } = node;
  const properties = join(folder, "server.properties");
  const args = [...javaOptions(options), "-cp", join(jars, "*"), "kafka.Kafka", properties];
  const watched = watchedCommand({ command: java, args }, { stop: "SIGTERM", force: "SIGKILL" });
  const admin = { ...kafkaLogin(users, KAFKA_ADMIN), mechanism: "PLAIN" } as const;
  return new KeptProgram({
    name,
    logPath: join(dataDir, "logs", `${name}.log`),
    pidFiles,
    stopSignal: "SIGTERM",
    log,
    launch: async () => {
      await Promise.all([ports.clients.moveIfTaken(), ports.controller.moveIfTaken()]);
      const text = nodeProperties(options, { id, ports, logDirs: dataOf(folder) });
      // It contains a password.
      writeFor(properties, text, owner);
      return { ...watched, env: process.env, cwd: folder, owner };
    },
    isReady: async () => {
      const isUp = (await brokersUp(addressOf(node), admin)).includes(id);
      if (isUp) for (const port of [ports.clients, ports.controller]) port.settle();
      return isUp;
    },
  });
}
