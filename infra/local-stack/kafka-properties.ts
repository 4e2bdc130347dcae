import { KAFKA_ADMIN, kafkaLogin, SASL_MECHANISM, type KafkaUsers } from "./logins.ts";
import type { NodePorts } from "./remembered-ports.ts";

/** Settings of a node that is broker and controller, and the only one: everything has a single copy. */
export const SINGLE_BROKER = {
  "auto.create.topics.enable": "false",
  "default.replication.factor": 1,
  "min.insync.replicas": 1,
  "offsets.topic.replication.factor": 1,
  "offsets.topic.num.partitions": 8,
  "transaction.state.log.replication.factor": 1,
  "transaction.state.log.min.isr": 1,
  "transaction.state.log.num.partitions": 2,
  "share.coordinator.state.topic.replication.factor": 1,
  "share.coordinator.state.topic.min.isr": 1,
  "share.coordinator.state.topic.num.partitions": 2,
  "group.initial.rebalance.delay.ms": 0,
  // A killed broker can register again only after its old session ends: 9 s by default.
  "broker.session.timeout.ms": 3_000,
  "broker.heartbeat.interval.ms": 1_000,
  // A request that takes seconds, such as one for the metadata of a hundred thousand names, must not hold all of them.
  "num.io.threads": 8,
  // For a machine that Kafka shares with everything else: each thread wakes some times a second even when it is idle.
  "num.network.threads": 1,
  "group.coordinator.threads": 1,
  "share.coordinator.threads": 1,
  "log.retention.hours": 168,
  "log.segment.bytes": 128 * 1024 * 1024,
  "num.recovery.threads.per.data.dir": 2,
  // Only offsets are compacted, a few hundred keys; the default buffer takes 128 MiB of the heap for them.
  "log.cleaner.dedupe.buffer.size": 8 * 1024 * 1024,
  // The largest dead letter, and nothing beyond: a request is read into memory whole, whoever sends it.
  "socket.request.max.bytes": 5 * 1024 * 1024,
  "queued.max.request.bytes": 32 * 1024 * 1024,
  // With COPIES the services of one machine hold some hundreds. One address beyond is cut off, whoever else is served on.
  "max.connections.per.ip": 1_000,
  // Of all addresses, for the sake of the heap: the next ones wait.
  "max.connections": 4_000,
  // What any login may leave in the broker's memory: a commit's note, a member's session, the state of a producer's id.
  "offset.metadata.max.bytes": 256,
  "group.max.session.timeout.ms": 60_000,
  "group.max.size": 100,
  // No group may have the coordinator, a single thread, compile an expression of its member's: one filled the memory.
  // Share groups have a feature in its place: see kafka-admin.ts.
  "group.coordinator.rebalance.protocols": "classic",
  "producer.id.expiration.ms": 300_000,
  "producer.id.expiration.check.interval.ms": 60_000,
  // Each topic now has this setting itself; this is for topics that were created before.
  "compression.type": "uncompressed",
} as const;

/** How many nodes the embedded Kafka may have: with three, any one of them may be lost. */
export const NODE_COUNTS = [1, 3] as const;

export type NodeCount = (typeof NODE_COUNTS)[number];

const THREE_COPIES = {
  "default.replication.factor": 3,
  "min.insync.replicas": 2,
  "offsets.topic.replication.factor": 3,
  "transaction.state.log.replication.factor": 3,
  "transaction.state.log.min.isr": 2,
  "share.coordinator.state.topic.replication.factor": 3,
  "share.coordinator.state.topic.min.isr": 2,
} as const satisfies Partial<Record<keyof typeof SINGLE_BROKER, number>>;

/** The settings of each node of a cluster with so many. */
function clusterSettings(nodes: number): Readonly<Record<string, string | number>> {
  return nodes < 3 ? SINGLE_BROKER : { ...SINGLE_BROKER, ...THREE_COPIES };
}

type Settings = Readonly<Record<string, string | number>>;

/** Override those of this file; a listener more needs the ports of the node's others. */
export type KafkaSettings =
  | Settings
  | ((ports: { readonly clients: number; readonly controller: number }) => Settings);

export interface ClusterProperties {
  /** The ports of each node; the first has the id 1. */
  readonly nodes: readonly NodePorts[];
  readonly users: KafkaUsers;
  readonly settings: KafkaSettings;
}

/** Where one node of the cluster is. */
export interface NodePlace {
  readonly id: number;
  readonly ports: NodePorts;
  readonly logDirs: string;
}

/** The text of a node's `server.properties`, which has a password in it. */
export function nodeProperties(
  cluster: ClusterProperties,
  { id, ports, logDirs }: NodePlace,
): string {
  const { nodes, users, settings } = cluster;
  const { clients, controller } = numbersOf(ports);
  const values: Record<string, string | number | boolean> = {
    "process.roles": "broker,controller",
    "node.id": id,
    "controller.quorum.voters": nodes
      .map((node, n) => `${n + 1}@127.0.0.1:${numbersOf(node).controller}`)
      .join(","),
    listeners: `CLIENTS://127.0.0.1:${clients},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `CLIENTS://127.0.0.1:${clients}`,
    "inter.broker.listener.name": "CLIENTS",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    ...accessProperties(users),
    "log.dirs": logDirs,
    ...clusterSettings(nodes.length),
    ...(typeof settings === "function" ? settings({ clients, controller }) : settings),
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

function numbersOf({ clients, controller }: NodePorts) {
  return { clients: clients.number, controller: controller.number };
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
