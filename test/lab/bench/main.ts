import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Command, InvalidArgumentError } from "commander";
import { projectRoot } from "../../../infra/project-root.ts";
import type { Bench, BenchAlone } from "./bench.ts";
import { BENCHES } from "./bench-table.ts";
import { BenchStack } from "./bench-stack.ts";
import type { Figure } from "./figure.ts";
import { watchForeignCpu } from "./foreign-cpu.ts";
import { addToHistory, readHistory, type HistoryLine } from "./history.ts";
import { recordRuns } from "./recorded-figure.ts";
import { conditions, reportOf, tableOf, withLastMeasured } from "./report.ts";

const PAGE = join(projectRoot, "docs", "benchmarks.md");
const REPORT = join(projectRoot, "test", "lab", "bench", "report.md");
const log = (line: string): void => console.error(line);

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It is a whole number above 0.");
}

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).trim();

/** The short hash of what is measured, with `+` where files have changed since. */
function commit(): string {
  const changed = git(
    "status",
    "--porcelain",
    "--untracked-files=no",
    "--",
    ".",
    ":!test/lab/bench",
    ":!docs/benchmarks.md",
  );
  return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`;
}

interface Options {
  readonly reportOnly: boolean;
  readonly runs: number;
  readonly steadySeconds: number;
  readonly soakMinutes: number;
}

type Measure = (bench: Bench | BenchAlone) => Promise<readonly Figure[]>;

/** As often as wanted, one run after the other. */
async function lineOf(
  bench: Bench | BenchAlone,
  wanted: number,
  measure: Measure,
): Promise<HistoryLine> {
  const figures: (readonly Figure[])[] = [];
  const runs = bench.once === true ? 1 : wanted;
  const foreign = watchForeignCpu();
  const begun = performance.now();
  for (let run = 1; run <= runs; run += 1) {
    log(`${bench.name}, run ${run} of ${runs} …`);
    figures.push(await measure(bench));
  }
  return {
    bench: bench.name,
    at: new Date().toISOString().slice(0, 10),
    commit: commit(),
    runs,
    node: process.versions.node,
    cores: cpus().length,
    foreign_percent: Math.round(foreign()),
    seconds: Math.round((performance.now() - begun) / 1_000),
    figures: recordRuns(figures),
  };
}

function writeReport(): void {
  const history = readHistory(projectRoot);
  writeFileSync(REPORT, reportOf(history, BENCHES));
  writeFileSync(PAGE, withLastMeasured(readFileSync(PAGE, "utf8"), history));
}

/** Measures each and writes its line and the report before the next; false where one failed. */
async function run(names: readonly string[], options: Options): Promise<boolean> {
  const wanted = BENCHES.filter(({ name, isNamedOnly = false }) =>
    names.length === 0 ? !isNamedOnly : names.includes(name),
  );
  const stack = new BenchStack(log);
  const { steadySeconds, soakMinutes } = options;
  const measure: Measure = async (bench) => {
    if (!("runAlone" in bench)) return bench.run(await stack.context());
    await stack.stop();
    return bench.runAlone({ log, steadySeconds, soakMinutes });
  };
  let isWhole = true;
  try {
    for (const bench of wanted) {
      const line = await lineOf(bench, options.runs, measure).catch((error: unknown) => {
        isWhole = false;
        log(`${bench.name}: NOT MEASURED: ${inspect(error)}`);
        return null;
      });
      if (line === null) continue;
      addToHistory(projectRoot, line);
      writeReport();
      console.log(`\n${bench.name}: ${conditions(line)}\n\n${tableOf(line.figures)}\n`);
    }
  } finally {
    await stack.stop();
  }
  return isWhole;
}

const command = new Command()
  .description("measures the product beside floors and peers, into test/lab/bench/report.md")
  .argument(
    "[names...]",
    `some of ${BENCHES.map(({ name }) => name).join(", ")}; all but soak without one`,
  )
  .option("--runs <number>", "how often each is measured", wholeNumber, 3)
  .option("--steady-seconds <number>", "how long each steady load lasts", wholeNumber, 30)
  .option("--soak-minutes <number>", "how long the benchmark soak lasts", wholeNumber, 60)
  .option("--report-only", "only write the report again, from the history", false)
  .parse();
const names = command.args;
const unknown = names.filter((name) => BENCHES.every((bench) => bench.name !== name));
if (unknown.length > 0) command.error(`There is no benchmark ${unknown.join(", ")}.`);
const options = command.opts<Options>();
if (options.reportOnly) writeReport();
else process.exit((await run(names, options)) ? 0 : 1);
