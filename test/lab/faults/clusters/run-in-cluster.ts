import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { driveCluster, type UnderLoad } from "./drive-cluster.ts";
import { openCluster, type Cluster, type ClusterOptions } from "./open-cluster.ts";

export interface InCluster extends Pick<ClusterOptions, "kafkaNodes" | "copies"> {
  readonly context: ClusterContext;
}

/** Opens a cluster, disturbs it under load, checks the history, and stops it whatever happens. */
export async function runInCluster(
  { context, ...size }: InCluster,
  disturb: (cluster: Cluster, underLoad: UnderLoad) => Promise<void>,
): Promise<ClusterReport> {
  const cluster = await openCluster({ ...size, log: context.log });
  try {
    return await driveCluster(cluster, {
      context,
      disturb: (underLoad) => disturb(cluster, underLoad),
    });
  } finally {
    await cluster.stop();
  }
}

/** The report with a breach for each request that failed. */
export function withoutFailures(report: ClusterReport): ClusterReport {
  const { failed_requests: failed = 0 } = report.figures;
  const breaches = failed === 0 ? [] : [`${failed} requests failed`];
  return { ...report, breaches: { ...report.breaches, noRequestFailed: breaches } };
}
