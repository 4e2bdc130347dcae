import type { Breach } from "../check-history.ts";

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
export type ClusterScenario = (context: ClusterContext) => Promise<ClusterReport>;
