import { Command, InvalidArgumentError } from "commander";
import { ensurePages } from "../../../infra/pages/ensure-pages.ts";
import { startFaultPlace } from "./fault-place.ts";
import { isHeld, tableOf, type Outcome } from "./scenario-report.ts";
import { runScenario } from "./run-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenario-table.ts";
import { writeReport } from "./write-report.ts";

interface Options {
  readonly list: boolean;
  readonly scenario: readonly string[];
  readonly all: boolean;
  readonly ci: boolean;
  readonly seed: number;
  readonly minutes?: number;
  readonly changes?: number;
  readonly kills?: number;
}

const SHOWN = 20;
const LEAST_CHANGES = 300;
const LONG = { name: "kills", changes: 5_000, kills: 32 } as const;
const DEFAULT_MINUTES = 10;

const startedAt = performance.now();
const log = (line: string): void =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);

/** The scenarios that take long by design run only where they are named. */
const isEndless = ({ name }: Scenario): boolean => name === LONG.name || name === "random";

function chosen({ scenario: names, all, ci, minutes }: Options): readonly Scenario[] {
  if (all) return SCENARIOS.filter((one) => !isEndless(one));
  if (ci) return SCENARIOS.filter(({ isQuick }) => isQuick);
  const wanted = names.length > 0 ? names : [minutes === undefined ? LONG.name : "random"];
  return SCENARIOS.filter(({ name }) => wanted.includes(name));
}

async function play(scenario: Scenario, options: Options): Promise<Outcome> {
  const { seed, minutes = DEFAULT_MINUTES, kills = LONG.kills } = options;
  const least = scenario.name === LONG.name ? LONG.changes : LEAST_CHANGES;
  try {
    const place = await startFaultPlace({ smallDisk: scenario.smallDisk ?? null, log });
    try {
      const settings = { kills, minutes };
      const changes = options.changes ?? least;
      return await runScenario(scenario, { place, settings, seed, changes, log });
    } finally {
      await place.stop();
    }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function print(outcome: Outcome): void {
  if ("failure" in outcome) {
    console.log(`\nMISSED: ${outcome.failure}\n`);
    return;
  }
  console.log(`\n${tableOf(outcome.figures)}\n`);
  for (const breach of outcome.breaches.slice(0, SHOWN)) console.log(`  ${breach}`);
}

/** Runs the chosen scenarios one after the other, each on a stack of its own; false where any target was missed. */
async function main(options: Options): Promise<boolean> {
  let held = true;
  await ensurePages(log);
  for (const scenario of chosen(options)) {
    log(`${scenario.name} …`);
    const begun = performance.now();
    const outcome = await play(scenario, options);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    writeReport(scenario, outcome, { seed: options.seed, seconds });
    print(outcome);
    held &&= isHeld(outcome);
  }
  return held;
}

function list(): void {
  for (const { name, what, faults, promises, seconds, isQuick } of SCENARIOS) {
    const marks = [...faults, ...promises].join(" ");
    console.log(
      `${name.padEnd(19)} ${String(seconds).padStart(5)} s  ${isQuick ? "ci" : "  "}  ${marks}`,
    );
    console.log(`${" ".repeat(32)}${what}`);
  }
}

function nameOf(value: string, names: readonly string[]): string[] {
  if (SCENARIOS.some(({ name }) => name === value)) return [...names, value];
  throw new InvalidArgumentError(`--list shows the scenarios.`);
}

function positive(value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError("It has to be a positive number.");
}

const options = new Command()
  .description(
    "injects faults under load, checks the whole history, and writes test/lab/faults/report.md; by default the scenario kills",
  )
  .option("--list", "show the scenarios", false)
  .option("--scenario <name>", "run this one; may be repeated", nameOf, [])
  .option("--all", "run all but kills and random", false)
  .option("--ci", "run the ten that find most in the shortest time", false)
  .option("--seed <number>", "seed of the random choices", positive, 1)
  .option("--minutes <number>", "run the scenario random for so long", positive)
  .option("--changes <number>", "least number of acknowledged changes", positive)
  .option("--kills <number>", "number of kills of the scenario kills", positive)
  .parse()
  .opts<Options>();
if (options.list) list();
// Of its own accord Node 20 closes what is left first, and has been seen to wait for that for ever, with a core to itself.
else process.exit((await main(options)) ? 0 : 1);
