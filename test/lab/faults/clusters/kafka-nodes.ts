import type { PartName } from "../../../../infra/local-stack/local-stack.ts";
import { createKafka } from "../../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { eventually } from "../../../support/eventually.ts";
import { adminAccess } from "../../../support/stack/kafka-access.ts";
import type { Cluster } from "./open-cluster.ts";

/** The nodes of Kafka in the order of their ids. */
export const NODES = ["kafka", "kafka#2", "kafka#3"] as const satisfies readonly PartName[];

const IN_SYNC_MS = 60_000;
const FEW_RETRIES = { retries: 1 };

interface Partition {
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

async function readPartitions({ product }: Pick<Cluster, "product">): Promise<Partition[]> {
  const log = createLogger("cluster", "silent");
  const access = adminAccess(product.kafkaBrokers);
  const admin = createKafka({ ...access, clientId: "cluster", retry: FEW_RETRIES, log }).admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata();
    return topics.flatMap(({ partitions }) => partitions);
  } finally {
    await admin.disconnect();
  }
}

/** Waits until every partition has all of its replicas in sync. @throws where one has not in time */
export async function waitUntilInSync(cluster: Pick<Cluster, "product">): Promise<void> {
  await eventually(async () => {
    const partitions = await readPartitions(cluster);
    const behind = partitions.filter(({ isr, replicas }) => isr.length < replicas.length);
    if (behind.length > 0 || partitions.length === 0) {
      throw new Error(`${behind.length} of ${partitions.length} partitions lack a replica in sync`);
    }
  }, IN_SYNC_MS);
}

/** The node that leads most partitions. */
export async function busiestNode(
  cluster: Pick<Cluster, "product">,
): Promise<(typeof NODES)[number]> {
  const counts = new Map<number, number>();
  for (const { leader } of await readPartitions(cluster)) {
    counts.set(leader, (counts.get(leader) ?? 0) + 1);
  }
  const [busiest] = [...counts].toSorted(([, a], [, b]) => b - a);
  return NODES[(busiest?.[0] ?? 1) - 1] ?? "kafka";
}
