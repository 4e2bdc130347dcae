import { clusterSettings } from "./cluster-settings.ts";
import { KAFKA_ADMIN, kafkaLogin, SASL_MECHANISM, type KafkaUsers } from "./kafka-users.ts";
import type { NodePorts } from "./remembered-ports.ts";

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
