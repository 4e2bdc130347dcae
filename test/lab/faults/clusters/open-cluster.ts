import { chmodSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeCount } from "../../../../infra/local-stack/kafka-properties.ts";
import { LocalStack } from "../../../../infra/local-stack/local-stack.ts";
import { migrate } from "../../../../infra/migrate/migrate.ts";
import {
  copiesOf,
  SERVICE_NAMES,
  type CopyName,
  type ServiceName,
} from "../../../../infra/start/supervisor/service-table.ts";
import { startReadyBalancer, type ReadyBalancer } from "../../../support/http/ready-balancer.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { TEST_LOGINS } from "../../../support/stack/database-access.ts";
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
