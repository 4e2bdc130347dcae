import { Argument, Command, Option } from "commander";
import { outcomeOf, type ClusterContext, type ClusterReport } from "./cluster-scenario.ts";
import type { Described } from "../scenario-report.ts";
import { writeReport } from "../write-report.ts";
import { CLUSTER_SCENARIOS, UPGRADE } from "./cluster-table.ts";
import { run as upgrade } from "./upgrade.ts";

const NAMES = CLUSTER_SCENARIOS.map(({ name }) => name);
const SHOWN = 5;

interface Options {
  readonly seed: string;
  readonly from?: string;
}

function print(name: string, { figures, breaches }: ClusterReport): boolean {
  console.log(`\n${name} ${JSON.stringify(figures, null, 2)}`);
  for (const [check, found] of Object.entries(breaches)) {
    console.log(`${found.length === 0 ? "held  " : "BROKEN"} ${check}: ${found.length}`);
    for (const breach of found.slice(0, SHOWN)) console.log(`         ${breach}`);
  }
  return Object.values(breaches).every((found) => found.length === 0);
}

/** A scenario that could not be brought to its end. */
function failureOf(error: unknown): ClusterReport {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { figures: {}, breaches: { cameToAnEnd: [why] } };
}

type Play = (context: ClusterContext) => Promise<ClusterReport>;

/** Runs one, prints and writes what it found; false where any check was breached. */
async function runOne(scenario: Described, play: Play, context: ClusterContext): Promise<boolean> {
  const begun = performance.now();
  context.log(scenario.name);
  const report = await play(context).catch(failureOf);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  writeReport(scenario, outcomeOf(report), { seed: context.seed, seconds });
  return print(scenario.name, report);
}

/** Runs the scenarios one after the other; false where any check was breached. */
async function main(names: readonly string[], { seed: text, from }: Options): Promise<boolean> {
  const startedAt = performance.now();
  const log = (line: string): void =>
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
  const context = { seed: Number(text), log };
  if (from !== undefined) return runOne(UPGRADE, (one) => upgrade(one, from), context);
  let held = true;
  for (const scenario of CLUSTER_SCENARIOS.filter(({ name }) => names.includes(name))) {
    held = (await runOne(scenario, scenario.run, context)) && held;
  }
  return held;
}

const program = new Command()
  .description(
    "kills brokers and copies of services under load, checks the whole history, and writes test/lab/faults/report.md",
  )
  .addArgument(new Argument("[scenario...]", "all of them unless given").choices(NAMES))
  .addOption(new Option("--seed <number>", "seed of the run's random choices").default("1"))
  .option("--from <revision>", "instead, upgrade from this git revision under load")
  .parse();
const chosen = program.args.length === 0 ? NAMES : program.args;
process.exit((await main(chosen, program.opts<Options>())) ? 0 : 1);
