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
import { countsOf, sum, type Counts } from "./jest-counts.ts";
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

/** Runs Jest on all projects and shows its output; a run without a report counts as one failure. */
async function runJest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
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
    const counts = existsSync(report) ? countsOf(readFileSync(report, "utf8")) : null;
    if (counts === null) return { passed: 0, failed: 1 };
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  const tests = await runJest(TESTS, env);
  const done = [await checks, await onLts];
  const attacks = await runJest(ATTACKS, env);
  return sum([units, tests, attacks, ...done]);
}

const args = process.argv.slice(2);
const { stop } = listenForStop();

async function run(): Promise<Counts> {
  if (args.length > 0) return runJest(args, process.env);
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
