import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePages } from "../infra/pages/ensure-pages.ts";
import { projectRoot } from "../infra/project-root.ts";
import { aborted, listenForStop } from "../infra/start/stop-request.ts";
import {
  JEST,
  NIGHTLY_CHECKS,
  REST_CHECKS,
  runCheck,
  startMeasuring,
  STATIC_CHECKS,
  type Check,
} from "./checks.ts";
import { BROKEN_RUN, fileCountsOf, sum, type Counts } from "./results/file-counts.ts";
import {
  ofTiers,
  PROGRAMS,
  testFilesIn,
  type Program,
  type TestFile,
  type Tier,
} from "./results/test-tiers.ts";
import { whyNoDocker } from "./support/containers/engine.ts";
import { whyNoHelm } from "./support/kubernetes/helm.ts";
import { pathOf } from "./support/programs/debian-program.ts";
import { startEphemeralStack } from "./support/stack/ephemeral-stack.ts";

/**
 * `npm test` runs all checks, all units and the core; `all` the next tier too, `nightly` everything, `rest` what `all` has beyond
 * `npm test`. Anything else is for Jest: `npm test -- decide.test -t 'part of a name'`.
 */
const COMMANDS: Readonly<Record<string, readonly Tier[]>> = {
  "": ["core"],
  all: ["core", "all"],
  rest: ["all"],
  nightly: ["core", "all", "nightly"],
};

/** Much of what tests do is waiting, so that four at once keep two cores busy. */
const AT_ONCE = "--maxWorkers=4";
const FAILED: Counts = { passed: 0, failed: 1 };
const { stop } = listenForStop();
const onStop: (() => Promise<void>)[] = [];
const NOTHING: Counts = { passed: 0, failed: 0 };

function runJest(name: string, args: readonly string[], env = process.env): Promise<Counts> {
  if (stop.aborted) return Promise.resolve(NOTHING);
  const folder = mkdtempSync(join(tmpdir(), "porting-report-"));
  const report = join(folder, "report.json");
  const all = [JEST, "--json", `--outputFile=${report}`, ...args];
  const measured = startMeasuring();
  return new Promise((resolve) => {
    const stdio: StdioOptions = ["ignore", "inherit", "inherit"];
    const child = spawn(process.execPath, all, { cwd: projectRoot, stdio, env });
    const finish = (code: number | null): void => {
      const counts = existsSync(report) ? fileCountsOf(readFileSync(report, "utf8")) : [];
      rmSync(folder, { recursive: true, force: true });
      const isExplained = code === 0 || counts.some(({ failed }) => failed > 0);
      const found = sum(isExplained && counts.length > 0 ? counts : [...counts, BROKEN_RUN]);
      const label = found.failed > 0 ? "FAILED" : "passed";
      console.log(`${label}  ${name} (${measured()}): ${found.passed} tests`);
      resolve(found);
    };
    child.once("error", () => finish(null));
    child.once("close", finish);
    // A signal to this process alone would leave Jest behind, with its stack.
    onStop.push(() => ended(child));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill("SIGINT");
  });
}

/** Programs that need more than to be found. */
const ASKED: Readonly<Partial<Record<Program, () => Promise<string | null>>>> = {
  helm: whyNoHelm,
  docker: whyNoDocker,
};

/** Why a program is missing on this machine; null where it is there. */
async function whyMissing(program: Program): Promise<string | null> {
  const ask = ASKED[program];
  const isThere = ask === undefined ? pathOf(program) !== undefined : (await ask()) === null;
  return isThere ? null : `${program} is missing (${PROGRAMS[program]})`;
}

class Possible {
  /** A stranger's machine may lack a program: the core is green without what needs it, the other tiers are not. */
  readonly #mustHaveAll: boolean;
  #missing = 0;

  constructor(mustHaveAll: boolean) {
    this.#mustHaveAll = mustHaveAll;
  }

  get counts(): Counts {
    return { passed: 0, failed: this.#mustHaveAll ? this.#missing : 0 };
  }

  /** Those whose programs are there; says which are left out. */
  async of<T>(
    all: readonly T[],
    needsOf: (one: T) => readonly Program[],
    nameOf: (one: T) => string,
  ) {
    const possible: T[] = [];
    for (const one of all) {
      const missing = await Promise.all(needsOf(one).map(whyMissing));
      const why = missing.find((reason) => reason !== null);
      if (why === undefined) possible.push(one);
      else {
        this.#missing += 1;
        console.log(`not checked: ${nameOf(one)}, because ${why}`);
      }
    }
    return possible;
  }
}

async function runChecks(checks: readonly Check[]): Promise<Counts> {
  const counts: Counts[] = [];
  for (const check of checks) {
    const outcome = await runCheck(check);
    counts.push({ passed: Number(outcome === "passed"), failed: Number(outcome === "failed") });
  }
  return sum(counts);
}

const byPath = (files: readonly TestFile[]): string[] => [
  "--runTestsByPath",
  ...files.map(({ path }) => path),
];
const isAttack = ({ path }: TestFile): boolean => path.startsWith(join("test", "attacks"));
const isOfChart = ({ path }: TestFile): boolean => path.startsWith(join("test", "kubernetes"));

/** Runs the files on a stack of their own, the attacks last, which measure what others feel. */
async function runOnStack(files: readonly TestFile[]): Promise<Counts> {
  if (files.length === 0) return NOTHING;
  const measured = startMeasuring();
  const stack = await startEphemeralStack((line) => console.log(line)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return null;
  });
  if (stack === null) return FAILED;
  onStop.push(() => stack.stop());
  const env = { ...process.env, STACK_FILE: stack.file };
  const attacks = files.filter(isAttack);
  const others = files.filter((file) => !isAttack(file));
  const counts: Counts[] = [];
  for (const [name, some, atOnce] of [
    ["tests on the stack", others, AT_ONCE],
    ["attacks", attacks, "--maxWorkers=2"],
  ] as const) {
    if (some.length > 0) counts.push(await runJest(name, [atOnce, ...byPath(some)], env));
  }
  await stack.stop();
  console.log(`stack and shared products (${measured()})`);
  return sum(counts);
}

async function runTiers(command: string, tiers: readonly Tier[]): Promise<Counts> {
  const hasCore = tiers.includes("core");
  const possible = new Possible(command !== "");
  const checks = await possible.of(
    [...(hasCore ? STATIC_CHECKS : []), ...(tiers.includes("all") ? REST_CHECKS : [])],
    ({ needs }) => (needs === undefined ? [] : [needs]),
    ({ name }) => name,
  );
  const files = await possible.of(
    ofTiers(testFilesIn(projectRoot), tiers),
    ({ needs }) => needs,
    ({ path }) => path,
  );
  await ensurePages((line) => console.log(line));
  const chart = files.filter(isOfChart);
  const beside = async (): Promise<Counts> => {
    const units = hasCore
      ? await runJest("units", ["--selectProjects", "unit", "--maxWorkers=2"])
      : NOTHING;
    const checked = await runChecks(checks);
    if (chart.length === 0) return sum([units, checked]);
    return sum([units, checked, await runJest("Helm chart", ["--maxWorkers=1", ...byPath(chart)])]);
  };
  const onStack = runOnStack(files.filter((file) => !isOfChart(file)));
  const tested = await Promise.all([beside(), onStack]);
  const nightly = tiers.includes("nightly") ? await runChecks(NIGHTLY_CHECKS) : NOTHING;
  return sum([...tested, nightly, possible.counts]);
}

const given = process.argv.slice(2);
const [command = "", ...rest] = given;
const tiers = rest.length === 0 ? COMMANDS[command] : undefined;
const isUnderstood = Object.hasOwn(COMMANDS, command)
  ? rest.length === 0
  : given.some((one) => !one.startsWith("-"));
if (!isUnderstood) {
  console.error(
    "npm test -- <part of a path> [options of Jest]: one of them names the files; the tiers take none.",
  );
  process.exit(2);
}
const interrupted = aborted(stop).then(() => FAILED);
const run = tiers === undefined ? runJest("Jest", given) : runTiers(command, tiers);
const { passed, failed } = await Promise.race([run, interrupted]);
if (stop.aborted) await Promise.all(onStop.map((end) => end()));
else if (passed + failed === 0) console.error("No test has run.");
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
