import type { Breach } from "../check-history.ts";
import { none, reported } from "../scenario.ts";
import type { Described, Outcome } from "../scenario-report.ts";

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
