import { spawn, type StdioOptions } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../infra/project-root.ts";
import { aborted, listenForStop } from "../infra/start/stop-request.ts";
import { JEST, runCheck, STATIC_CHECKS, END_TO_END_ON_NODE_24, type Check } from "./checks.ts";
import { countsOf, sum, type Counts } from "./jest-counts.ts";
import { startEphemeralStack, type EphemeralStack } from "./support/stack/ephemeral-stack.ts";

async function runRow(row: readonly Check[]): Promise<Counts> {
  const counts: Counts[] = [];
  for (const check of row) {
    counts.push((await runCheck(check)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
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

/** Runs the static checks while the stack starts, then Jest alone. */
async function runEverything(stack: Promise<EphemeralStack | null>): Promise<Counts> {
  const [running, ...checks] = await Promise.all([stack, ...STATIC_CHECKS.map(runRow)]);
  if (running === null) return sum([...checks, { passed: 0, failed: 1 }]);
  const env = { ...process.env, STACK_FILE: running.file };
  const jest = await runJest(["--maxWorkers=2"], env);
  const passed = await runCheck({ ...END_TO_END_ON_NODE_24, env });
  return sum([...checks, jest, { passed: Number(passed), failed: Number(!passed) }]);
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
