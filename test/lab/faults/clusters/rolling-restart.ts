import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { runInCluster, withoutFailures } from "./run-in-cluster.ts";

const READY_MS = 60_000;

/** Every copy of every service is restarted, one after the other, behind load balancers: no request fails. */
export async function run(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 1, copies: 2 } as const;
  const report = await runInCluster(size, async ({ copies, product }) => {
    for (const name of copies) {
      const { program } = product.supervisor.service(name);
      const before = program.deaths;
      context.log(`restarting ${name}`);
      program.kill("SIGTERM");
      await program.whenReady(READY_MS);
      if (program.deaths === before) throw new Error(`${name} was not restarted`);
    }
  });
  return withoutFailures(report);
}
