import { chmodSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeCount } from "../../../../infra/local-stack/kafka-properties.ts";
import { LocalStack, type PartName } from "../../../../infra/local-stack/local-stack.ts";
import { migrate } from "../../../../infra/migrate/migrate.ts";
import {
  copiesOf,
  SERVICE_NAMES,
  type CopyName,
  type ServiceName,
} from "../../../../infra/start/supervisor/service-table.ts";
import { createKafka } from "../../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { eventually } from "../../../support/eventually.ts";
import { startReadyBalancer, type ReadyBalancer } from "../../../support/http/ready-balancer.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { TEST_LOGINS } from "../../../support/stack/database-access.ts";
import { adminAccess } from "../../../support/stack/kafka-access.ts";
import { startFaultReceiver, type FaultReceiver } from "../fault-receiver.ts";

export interface ClusterOptions {
  readonly kafkaNodes: NodeCount;
  readonly copies: number;
  readonly log: (line: string) => void;
}

/** A product on a stack of its own, whose API and desk are reached through load balancers. */
export interface Cluster {
  readonly stack: LocalStack;
  /** Its URLs are those of the load balancers. */
  readonly product: OwnProduct;
  readonly copies: readonly CopyName[];
  readonly balancers: readonly ReadyBalancer[];
  readonly receiver: FaultReceiver;
  stop(): Promise<void>;
}

/** Starts everything; after a failed start nothing is left running. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const ends: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return { ...(await openParts(options, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openParts(
  { kafkaNodes, copies, log }: ClusterOptions,
  ends: (() => Promise<void>)[],
): Promise<Omit<Cluster, "stop">> {
  const dataDir = mkdtempSync(join(tmpdir(), "porting-cluster-"));
  chmodSync(dataDir, 0o755);
  ends.push(async () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const maxConnections = 100 * (copies + 1);
  const options = { dataDir, log, kafkaNodes, maxConnections, onDatabase: migrate };
  const stack = new LocalStack({ ...options, ...TEST_LOGINS });
  ends.push(() => stack.stop());
  await stack.start();
  const receiver = await startFaultReceiver();
  ends.push(() => receiver.stop());
  const names = SERVICE_NAMES.flatMap((name) => copiesOf(name, copies));
  const product = await startProductAt(stack.addresses, { services: names });
  ends.push(() => product.stop());
  const balance = async (service: ServiceName): Promise<ReadyBalancer> => {
    const urls = copiesOf(service, copies).map((name) => product.supervisor.service(name).url);
    const balancer = await startReadyBalancer(urls);
    ends.push(() => balancer.stop());
    return balancer;
  };
  const [api, desk] = [await balance("api"), await balance("desk")];
  const balanced = { ...product, apiUrl: api.url, deskUrl: desk.url };
  log(`${kafkaNodes} nodes of Kafka and ${copies} copies of each service are ready`);
  return { stack, product: balanced, copies: names, balancers: [api, desk], receiver };
}

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
