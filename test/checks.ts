import { spawn } from "node:child_process";
import { join } from "node:path";
import { LTS_NODE, NPX_LTS_NODE } from "../infra/node-version.ts";
import { alertFiles, ALERTS } from "../infra/monitoring/alert-files.ts";
import { projectRoot } from "../infra/project-root.ts";
import { judgeAudit, type Verdict } from "../infra/supply-chain/judge-audit.ts";
import { shippedPackages } from "../infra/supply-chain/shipped-packages.ts";

export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to the inherited environment, such as another cache folder. */
  readonly env?: NodeJS.ProcessEnv;
  /** Judges what the command printed; without it, its exit code decides. */
  readonly judge?: (stdout: string) => Verdict;
}

const bin = (name: string, ...path: string[]): string => join("node_modules", name, ...path);

const node = (name: string, ...args: string[]): Check => ({
  name,
  command: process.execPath,
  args,
});

export const JEST = ["--experimental-vm-modules", bin("jest", "bin", "jest.js")] as const;

function onLts(name: string, ...args: string[]): Check {
  return {
    name: `${name} on ${LTS_NODE}`,
    command: "npx",
    args: [...NPX_LTS_NODE, ...JEST, ...args],
  };
}

/** Of the Debian package `prometheus`; the configuration names the rules. */
function promtool(name: string, ...args: string[]): Check {
  return { name, command: "promtool", args };
}

function alertTests(): string[] {
  return alertFiles(".test.yml").map((name) => join(ALERTS, name));
}

/** Leaves the tests most of the time, and still comes to an end where other programs take all that is left over. */
function inBackground({ command, args, ...check }: Check): Check {
  return { ...check, command: "nice", args: ["-n", "3", command, ...args] };
}

/** Runs while the stack starts: its own deadlines are short, so the tests on the stack wait for it. */
export const UNIT_TESTS_ON_LTS = onLts("unit tests", "--selectProjects", "unit");

/** The build has checked the same sources; only what changed since is checked again. */
const SINCE_THE_BUILD = ["--incremental", "--tsBuildInfoFile", join("dist", ".tsbuildinfo")];

/** Asks the registry once: one that is away, or knows no advisories, holds up nothing. */
const AUDIT: Check = {
  name: "audit of the shipped packages",
  command: "npm",
  args: ["audit", "--json", "--package-lock-only", "--fetch-retries=0", "--fetch-timeout=10000"],
  judge: (stdout) => judgeAudit(stdout, new Set(shippedPackages().map(({ folder }) => folder))),
};

/** Run beside the tests, one after the other. */
export const STATIC_CHECKS: readonly Check[] = [
  node("lint", bin("oxlint", "bin", "oxlint"), "-c", "oxlint.config.js"),
  node("typecheck", bin("typescript", "bin", "tsc"), "--noEmit", ...SINCE_THE_BUILD),
  node("typecheck of the pages", bin("typescript", "bin", "tsc"), "--noEmit", "-p", "services/web"),
  node("format", bin("oxfmt", "bin", "oxfmt"), "--check"),
  AUDIT,
  promtool("alert rules", "check", "config", "infra/monitoring/prometheus.yml"),
  promtool("tests of the alert rules", "test", "rules", ...alertTests()),
].map(inBackground);

/** What Helm makes of the chart; a run without Helm builds it first. */
export const CHART_CHECK = inBackground(
  node("Helm chart", ...JEST, "--selectProjects", "chart", "--runInBand"),
);

/** One end-to-end test with the services on the Node version of the image; it needs the run's stack. */
export const END_TO_END_ON_LTS = onLts(
  "one end-to-end test",
  "--selectProjects",
  "e2e",
  "--testPathPatterns",
  "draft-to-live-number",
);

const LABELS = { passed: "passed", failed: "FAILED", "not checked": "not checked" } as const;

/** Runs one check and prints its outcome, its whole output when it fails. */
export function runCheck({ name, command, args, env, judge }: Check): Promise<Verdict["outcome"]> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    const [stdout, output]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout.push(chunk);
      output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    const finish = ({ outcome, detail }: Verdict): void => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const why = detail === "" ? "" : `: ${detail}`;
      console.log(`${LABELS[outcome]}  ${name} (${seconds} s)${why}`);
      if (outcome === "failed") console.log(Buffer.concat(output).toString("utf8"));
      resolve(outcome);
    };
    child.once("error", ({ message }) => finish({ outcome: "failed", detail: message }));
    child.once("close", (code) => {
      const byCode: Verdict = { outcome: code === 0 ? "passed" : "failed", detail: "" };
      finish(judge?.(Buffer.concat(stdout).toString("utf8")) ?? byCode);
    });
  });
}
