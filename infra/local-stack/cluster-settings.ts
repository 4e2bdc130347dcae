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
  // Share groups have a feature in its place: see share-groups.ts.
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
export function clusterSettings(nodes: number): Readonly<Record<string, string | number>> {
  return nodes < 3 ? SINGLE_BROKER : { ...SINGLE_BROKER, ...THREE_COPIES };
}
