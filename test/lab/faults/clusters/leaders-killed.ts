import type { CopyName } from "../../../../infra/start/supervisor/service-table.ts";
import { eventually } from "../../../support/eventually.ts";
import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { busiestNode, waitUntilInSync } from "./kafka-nodes.ts";
import type { Cluster } from "./open-cluster.ts";
import { runInCluster } from "./run-in-cluster.ts";

const READY_MS = 90_000;
const ROUNDS = 3;

/**
 * At once are killed: the broker that leads most partitions, Postgres, the relay that holds the locks, and one copy of
 * every other service.
 */
export async function run(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 3, copies: 2 } as const;
  return runInCluster(size, async (cluster) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await waitUntilInSync(cluster);
      const node = await busiestNode(cluster);
      const relay = await activeRelay(cluster);
      const others = cluster.copies.filter((name) => !name.startsWith("outbox-relay"));
      const copies = [relay, ...others.filter((name) => name.includes("#") === (round % 2 === 1))];
      context.log(`killing ${node}, postgres and ${copies.join(", ")}`);
      const programs = [
        ...[node, "postgres" as const].map((name) => cluster.stack.part(name)),
        ...copies.map((name) => cluster.product.supervisor.service(name).program),
      ];
      for (const program of programs) program.kill();
      await Promise.all(programs.map((program) => program.whenReady(READY_MS)));
    }
  });
}

const RELAYS = ["outbox-relay", "outbox-relay#2"] as const satisfies readonly CopyName[];

/** The copy of outbox-relay that publishes, which is the one that holds the locks. */
async function activeRelay(cluster: Cluster): Promise<CopyName> {
  const before = await relayed(cluster);
  return eventually(async () => {
    const now = await relayed(cluster);
    const active = RELAYS.find((_, n) => (now[n] ?? 0) > (before[n] ?? 0));
    if (active === undefined) throw new Error("no relay publishes");
    return active;
  });
}

/** How many messages each copy has published since its start. */
function relayed({ product }: Cluster): Promise<number[]> {
  return Promise.all(
    RELAYS.map(async (name) => {
      const text = await (await fetch(`${product.supervisor.service(name).url()}/metrics`)).text();
      return Number(/^relayed_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    }),
  );
}
