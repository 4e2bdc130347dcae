import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { NODES, waitUntilInSync } from "./kafka-nodes.ts";
import { runInCluster, withoutFailures } from "./run-in-cluster.ts";

const READY_MS = 90_000;

/** Each of three brokers in turn, so the active controller too, is killed: no request fails, and webhooks go on. */
export async function run(context: ClusterContext): Promise<ClusterReport> {
  const report = await runInCluster({ context, kafkaNodes: 3, copies: 1 }, async (cluster) => {
    for (const node of NODES) {
      await waitUntilInSync(cluster);
      context.log(`killing ${node}`);
      const program = cluster.stack.part(node);
      program.kill();
      await program.whenReady(READY_MS);
    }
    await waitUntilInSync(cluster);
  });
  return withoutFailures(report);
}
