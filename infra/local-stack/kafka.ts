import { join } from "node:path";
import type { KeptProgram } from "../start/supervisor/kept-program.ts";
import { until } from "../start/supervisor/until.ts";
import {
  addressOf,
  brokersUp,
  formatNode,
  nodeProgram,
  nodesOf,
  type KafkaNode,
  type KafkaNodeName,
  type KafkaOptions,
} from "./kafka-node.ts";
import { asKafkaAdmin } from "./admin-connection.ts";
import { ensureCluster } from "./kafka-storage.ts";
import { KAFKA_ADMIN, kafkaLogin } from "./kafka-users.ts";
import { giveFolder } from "./process-owner.ts";
import { setKafkaPasswords } from "./scram-users.ts";
import { endShareGroups } from "./share-groups.ts";

export interface KafkaPart {
  /** The programs of the nodes by their names: `kafka`, `kafka#2` … */
  readonly programs: ReadonlyMap<KafkaNodeName, KeptProgram>;
  /** Lets the users log in; to be called once the programs are ready. */
  readonly admitUsers: () => Promise<void>;
  /** `host:port` of each node, separated by commas. */
  readonly brokers: () => string;
}

const ADMIT_MS = 20_000;

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
  // Brokers learn of them a moment after the controller.
  const admin = kafkaLogin(users, KAFKA_ADMIN);
  const isAdmitted = (node: KafkaNode): Promise<boolean> =>
    brokersUp(addressOf(node), admin).then(
      (ids) => ids.length === nodes.length,
      () => false,
    );
  const areAdmitted = async (): Promise<boolean> =>
    (await Promise.all(nodes.map(isAdmitted))).every(Boolean);
  const what = "Kafka to admit its users";
  await until(areAdmitted, { timeoutMs: ADMIT_MS, what, everyMs: 20, signal });
}
