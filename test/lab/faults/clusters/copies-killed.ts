import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { runInCluster } from "./run-in-cluster.ts";

const READY_MS = 60_000;

/** Each copy of each service is killed in turn; only requests that the killed copy was answering may fail. */
export async function run(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 1, copies: 2 } as const;
  return runInCluster(size, async ({ copies, product }) => {
    for (const name of copies) {
      const { program } = product.supervisor.service(name);
      context.log(`killing ${name}`);
      program.kill();
      await program.whenReady(READY_MS);
    }
  });
}
