import type { Breach } from "../check-history.ts";
import type { Described, Outcome } from "../scenario-report.ts";
import { none, reported } from "../scenario.ts";
import { driveCluster, type UnderLoad } from "./drive-cluster.ts";
import { openCluster, type Cluster, type ClusterOptions } from "./open-cluster.ts";

export interface ClusterContext {
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** What a scenario found; it held where no check has a breach. */
export interface ClusterReport {
  readonly figures: Readonly<Record<string, number>>;
  readonly breaches: Readonly<Record<string, readonly Breach[]>>;
}

/** Starts a cluster of its own, disturbs it under load, and checks the whole history. */
export interface ClusterScenario extends Described {
  readonly run: (context: ClusterContext) => Promise<ClusterReport>;
}

/** `failed_requests` as "failed requests", `noRequestFailed` as "no request failed". */
function spoken(name: string): string {
  return name.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** As the report shows it: each figure, and how often each check was breached. */
export function outcomeOf({ figures, breaches }: ClusterReport): Outcome {
  return {
    figures: [
      ...Object.entries(figures).map(([name, value]) => reported(spoken(name), value)),
      ...Object.entries(breaches).map(([check, found]) =>
        none(`breaches of: ${spoken(check)}`, found.length),
      ),
    ],
    kills: {},
    breaches: Object.values(breaches).flat(),
  };
}

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
