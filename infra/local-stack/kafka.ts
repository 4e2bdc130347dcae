import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Admin } from "kafkajs";
import { z } from "zod";
import { saslVariables, type SaslLogin } from "../../services/platform/command-line.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import { until } from "../start/supervisor/until.ts";
import { watchedCommand } from "../start/supervisor/processes.ts";
import { asKafkaAdmin, endShareGroups, setKafkaPasswords } from "./kafka-admin.ts";
import { JVM_FLAGS } from "./artifacts.ts";
import { nodeProperties, type ClusterProperties } from "./kafka-properties.ts";
import { KAFKA_ADMIN, kafkaLogin } from "./logins.ts";
import { giveFolder, runCommand, writeFor, type PartOptions } from "./process-owner.ts";
import type { NodePorts } from "./remembered-ports.ts";

/** A broker that answers nothing within it, nor for a minute, is ended. */
const ANSWER_MS = 4_000;
const HUNG_AFTER_MS = 60_000;

const fileSchema = z.object({ nodes: z.number().int(), cluster_id: z.string() });

/** The folder with the data of a node that has been formatted. */
function dataOf(nodeFolder: string): string {
  return join(nodeFolder, "data");
}

/**
 * The id of the cluster whose data is in the folder; a new one where there is no data yet.
 * @throws `stack_failed` where the data is that of another number of nodes
 */
export function ensureCluster(folder: string, nodes: number): string {
  const path = join(folder, "cluster.json");
  const kept = existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
  const first = dataOf(folder);
  // Before there was a choice, every folder was that of one node.
  const had = kept?.nodes ?? (existsSync(first) ? 1 : nodes);
  if (had !== nodes) throw refusal(folder, { had, nodes });
  if (kept !== null) return kept.cluster_id;
  const id = existsSync(first) ? clusterIdOf(first) : newClusterId();
  writeFileAtomically(path, `${JSON.stringify({ nodes, cluster_id: id })}\n`, 0o600);
  return id;
}

function refusal(folder: string, { had, nodes }: { had: number; nodes: number }): AppError {
  const what = `The Kafka in ${folder} has ${countText(had)}, but KAFKA_NODES is ${nodes}.`;
  const how = `The number cannot change: set KAFKA_NODES=${had} or another DATA_DIR, or see "Several brokers" in docs/operations.md.`;
  return new AppError("stack_failed", `${what} ${how}`);
}

function countText(nodes: number): string {
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}

function clusterIdOf(data: string): string {
  const text = readFileSync(join(data, "meta.properties"), "utf8");
  return /^cluster\.id=(.*)$/m.exec(text)?.[1] ?? "";
}

function newClusterId(): string {
  return Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
}

/** Formats a node's storage beside its final path and moves it there, so that an interrupted format is repeated. */
async function formatStorage(
  nodeFolder: string,
  format: (draft: string) => Promise<void>,
): Promise<void> {
  const data = dataOf(nodeFolder);
  if (existsSync(data)) return;
  const draft = join(nodeFolder, "data.draft");
  rmSync(draft, { recursive: true, force: true });
  await format(draft);
  renameSync(draft, data);
}

interface KafkaOptions extends PartOptions, ClusterProperties {
  readonly java: string;
  /** The folder with the jars. */
  readonly jars: string;
}

/** The name of a node's program, log and pid file. */
export type KafkaNodeName = "kafka" | `kafka#${number}`;

interface KafkaNode {
  readonly id: number;
  readonly name: KafkaNodeName;
  readonly ports: NodePorts;
  readonly folder: string;
}

/** The nodes, by their ports; the first has the folder and the names of the only one. */
function nodesOf({ dataDir, nodes }: Pick<KafkaOptions, "dataDir" | "nodes">): KafkaNode[] {
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
async function formatNode(
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

/** Asks a node once, as a client that logs in so. */
async function askNode<T>(
  brokers: string,
  login: SaslLogin,
  ask: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = createKafka({
    brokers: [brokers],
    security: readKafkaSecurity(saslVariables(login)),
    clientId: "start",
    log: createLogger("start", "silent"),
    retry: { retries: 0 },
  }).admin();
  try {
    await admin.connect();
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The ids of the brokers that a node knows to be up. */
async function brokersUp(admin: Admin): Promise<number[]> {
  return (await admin.describeCluster()).brokers.map(({ nodeId }) => nodeId);
}

/** `host:port` of a node's listener for clients. */
function addressOf({ ports }: KafkaNode): string {
  return `127.0.0.1:${ports.clients.number}`;
}

/** The program of a formatted node, without starting it. It is ready once it knows itself as a broker that is up. */
function nodeProgram(options: KafkaOptions, node: KafkaNode): KeptProgram {
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
    // Out of memory for what waits in it, a broker collects garbage for ever and answers nobody, but does not end.
    reacts: () => {
      const answered = askNode(addressOf(node), admin, brokersUp).then(
        () => true,
        () => false,
      );
      return Promise.race([answered, pause(ANSWER_MS, false)]);
    },
    hungAfterMs: HUNG_AFTER_MS,
    isReady: async () => {
      const isUp = (await askNode(addressOf(node), admin, brokersUp)).includes(id);
      if (isUp) for (const port of [ports.clients, ports.controller]) port.settle();
      return isUp;
    },
  });
}

export interface KafkaPart {
  /** The programs of the nodes by their names: `kafka`, `kafka#2` … */
  readonly programs: ReadonlyMap<KafkaNodeName, KeptProgram>;
  /** Lets the users log in; to be called once the programs are ready. */
  readonly admitUsers: () => Promise<void>;
  /** `host:port` of each node, separated by commas. */
  readonly brokers: () => string;
}

const ADMIT_MS = 20_000;
/** A group that nobody joins. */
const FIRST_GROUP = "start";

/** Formats the storage where there is none and creates the nodes' programs, without starting them. */
export async function prepareKafka(options: KafkaOptions): Promise<KafkaPart> {
  const { dataDir, owner } = options;
  const nodes = nodesOf(options);
  const folder = join(dataDir, "kafka");
  giveFolder(folder, owner);
  const clusterId = ensureCluster(folder, nodes.length);
  if (nodes.length > 1) await settlePorts(nodes);
  for (const node of nodes) await formatNode(options, node, clusterId);
  return {
    programs: new Map(nodes.map((node) => [node.name, nodeProgram(options, node)])),
    admitUsers: () => admitUsers(options, nodes),
    brokers: () => nodes.map(addressOf).join(","),
  };
}

/** Each node is started with the ports of all others, which therefore no longer change. */
async function settlePorts(nodes: readonly KafkaNode[]): Promise<void> {
  const ports = nodes.flatMap(({ ports: { clients, controller } }) => [clients, controller]);
  for (const port of ports) {
    await port.moveIfTaken();
    port.settle();
  }
}

async function admitUsers(
  { users, signal }: Pick<KafkaOptions, "users" | "signal">,
  nodes: readonly KafkaNode[],
): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  const broker = { host: "127.0.0.1", port: first.ports.clients.number };
  await asKafkaAdmin(broker, users, async (sender) => {
    await endShareGroups(sender);
    await setKafkaPasswords(sender, users);
  });
  // Brokers learn of them a moment after the controller, and a client that joins a group gives up while they load the groups.
  const admin = kafkaLogin(users, KAFKA_ADMIN);
  const areServed = async (client: Admin): Promise<boolean> => {
    if ((await brokersUp(client)).length < nodes.length) return false;
    await client.describeGroups([FIRST_GROUP]);
    return true;
  };
  const isAdmitted = (node: KafkaNode): Promise<boolean> =>
    askNode(addressOf(node), admin, areServed).catch(() => false);
  const areAdmitted = async (): Promise<boolean> =>
    (await Promise.all(nodes.map(isAdmitted))).every(Boolean);
  const what = "Kafka to admit its users";
  await until(areAdmitted, { timeoutMs: ADMIT_MS, what, everyMs: 20, signal });
}
