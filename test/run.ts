import { spawn, type StdioOptions } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../infra/project-root.ts";
import { aborted, listenForStop } from "../infra/start/stop-request.ts";
import {
  CHART_CHECK,
  END_TO_END_ON_LTS,
  JEST,
  runCheck,
  STATIC_CHECKS,
  UNIT_TESTS_ON_LTS,
  type Check,
} from "./checks.ts";
import {
  BROKEN_RUN,
  fileCountsOf,
  sum,
  type Counts,
  type FileCounts,
} from "./results/file-counts.ts";
import { afterSecondTry, secondTryOf } from "./results/second-try.ts";
import { whyNoHelm } from "./support/kubernetes/helm.ts";
import { startEphemeralStack, type EphemeralStack } from "./support/stack/ephemeral-stack.ts";

/** Runs checks one after the other; what could not be checked counts as neither. */
async function runRow(row: readonly Check[]): Promise<Counts> {
  const counts: Counts[] = [];
  for (const check of row) {
    const outcome = await runCheck(check);
    counts.push({ passed: Number(outcome === "passed"), failed: Number(outcome === "failed") });
  }
  return sum(counts);
}

/** Runs Jest and shows its output. */
async function runJest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<FileCounts[]> {
  const folder = mkdtempSync(join(tmpdir(), "porting-report-"));
  const report = join(folder, "report.json");
  const all = [...JEST, "--json", `--outputFile=${report}`, ...args];
  try {
    const code = await new Promise<number | null>((resolve) => {
      const stdio: StdioOptions = ["ignore", "inherit", "inherit"];
      const child = spawn(process.execPath, all, { cwd: projectRoot, stdio, env });
      child.once("error", () => resolve(null));
      child.once("close", resolve);
    });
    const counts = existsSync(report) ? fileCountsOf(readFileSync(report, "utf8")) : [];
    const isExplained = code === 0 || counts.some(({ failed }) => failed > 0);
    return isExplained && counts.length > 0 ? counts : [...counts, BROKEN_RUN];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the few files again that failed, alone, and tells which ones pass then. */
async function runJestTwice(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const first = await runJest(args, env);
  const again = secondTryOf(first);
  if (again.length === 0) return sum(first);
  const second = await runJest(["--maxWorkers=1", "--runTestsByPath", ...again], env);
  const passing = second.filter(({ file, failed }) => again.includes(file) && failed === 0);
  for (const { file } of passing) console.log(`unreliable: failed, then passed alone: ${file}`);
  return sum(afterSecondTry(first, second));
}

/** Much of what tests do is waiting, so that three at once keep two cores busy. */
const TESTS = ["--maxWorkers=3", "--selectProjects", "unit", "integration", "e2e", "regressions"];
/** Attacks measure what others feel, so that few run at once, and nothing else beside them. */
const ATTACKS = ["--maxWorkers=2", "--selectProjects", "attacks"];

/** The checks that this machine has the programs for. */
async function possibleChecks(): Promise<readonly Check[]> {
  const why = await whyNoHelm();
  if (why === null) return [...STATIC_CHECKS, CHART_CHECK];
  console.log(`not checked: what Helm makes of the chart, because ${why}`);
  return STATIC_CHECKS;
}

/** Runs Jest as soon as the stack is up, with the static checks beside it. */
async function runEverything(stack: Promise<EphemeralStack | null>): Promise<Counts> {
  const checks = possibleChecks().then(runRow);
  const [running, units] = await Promise.all([stack, runRow([UNIT_TESTS_ON_LTS])]);
  if (running === null) return sum([units, await checks, { passed: 0, failed: 1 }]);
  const env = { ...process.env, STACK_FILE: running.file };
  // It mostly waits, so that it costs no time beside the tests, and much at the end, where nothing else is left to run.
  const onLts = checks.then(() => runRow([{ ...END_TO_END_ON_LTS, env }]));
  const tests = await runJestTwice(TESTS, env);
  const done = [await checks, await onLts];
  const attacks = sum(await runJest(ATTACKS, env));
  return sum([units, tests, attacks, ...done]);
}

const args = process.argv.slice(2);
const { stop } = listenForStop();

async function run(): Promise<Counts> {
  if (args.length > 0) return sum(await runJest(args, process.env));
  const stack = startEphemeralStack((line) => console.log(line)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return null;
  });
  try {
    const interrupted = aborted(stop).then(() => ({ passed: 0, failed: 1 }));
    return await Promise.race([runEverything(stack), interrupted]);
  } finally {
    await (await stack)?.stop();
  }
}

const { passed, failed } = await run();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
