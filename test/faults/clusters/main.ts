import { Argument, Command, Option } from "commander";
import type { ClusterReport, ClusterScenario } from "./cluster-scenario.ts";
import { run as copiesKilled } from "./copies-killed.ts";
import { run as leadersKilled } from "./leaders-killed.ts";
import { run as oneBrokerKilled } from "./one-broker-killed.ts";
import { run as rollingRestart } from "./rolling-restart.ts";
import { run as twoBrokersKilled } from "./two-brokers-killed.ts";
import { run as upgrade } from "./upgrade.ts";

const SCENARIOS = {
  "one-broker-killed": oneBrokerKilled,
  "two-brokers-killed": twoBrokersKilled,
  "copies-killed": copiesKilled,
  "leaders-killed": leadersKilled,
  "rolling-restart": rollingRestart,
} as const satisfies Record<string, ClusterScenario>;

type ScenarioName = keyof typeof SCENARIOS;

const NAMES = Object.keys(SCENARIOS) as ScenarioName[];
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

/** Runs the scenarios one after the other; false where any check was breached. */
async function main(names: readonly ScenarioName[], { seed: text, from }: Options) {
  const startedAt = performance.now();
  const log = (line: string): void =>
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
  const context = { seed: Number(text), log };
  if (from !== undefined) return print(`upgrade from ${from}`, await upgrade(context, from));
  let held = true;
  for (const name of names) {
    log(name);
    const report = await SCENARIOS[name](context).catch(failureOf);
    held = print(name, report) && held;
  }
  return held;
}

const program = new Command()
  .description("kills brokers and copies of services under load, then checks the whole history")
  .addArgument(new Argument("[scenario...]", "all of them unless given").choices(NAMES))
  .addOption(new Option("--seed <number>", "seed of the run's random choices").default("1"))
  .option("--from <revision>", "instead, upgrade from this git revision under load")
  .parse();
const chosen =
  program.args.length === 0 ? NAMES : NAMES.filter((name) => program.args.includes(name));
process.exitCode = (await main(chosen, program.opts<Options>())) ? 0 : 1;
