import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../../infra/project-root.ts";
import { CLUSTER_SCENARIOS, UPGRADE } from "./clusters/cluster-table.ts";
import { withScenario, type Described, type Outcome } from "./scenario-report.ts";
import { SCENARIOS } from "./scenario-table.ts";

const REPORT = join(projectRoot, "test", "lab", "faults", "report.md");
/** In the report's order. */
const REPORTED: readonly Described[] = [...SCENARIOS, ...CLUSTER_SCENARIOS, UPGRADE];

export interface RunNote {
  readonly seed: number;
  readonly seconds: number;
}

/** Replaces a scenario's section of the report. */
export function writeReport(
  scenario: Described,
  outcome: Outcome,
  { seed, seconds }: RunNote,
): void {
  const day = new Date().toISOString().slice(0, 10);
  const where = `${cpus().length} cores, shared by all processes; Node ${process.versions.node}`;
  const madeOn = `${where}; ${day}; seed ${seed}; ${seconds} s.`;
  const known = existsSync(REPORT) ? readFileSync(REPORT, "utf8") : "";
  writeFileSync(REPORT, withScenario(known, { scenario, outcome, madeOn }, REPORTED));
}
