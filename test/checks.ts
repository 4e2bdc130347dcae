import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { alertFiles, ALERTS } from "../infra/monitoring/alert-files.ts";
import { OLDEST_NODE_VERSION } from "../infra/node-version.ts";
import { projectRoot } from "../infra/project-root.ts";
import { judgeAudit, type Verdict } from "../infra/supply-chain/judge-audit.ts";
import { shippedPackages } from "../infra/supply-chain/shipped-packages.ts";
import type { Program } from "./results/test-tiers.ts";

export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly needs?: Program;
  /** Judges what the command printed; without it, its exit code decides. */
  readonly judge?: (stdout: string) => Verdict;
}

const bin = (name: string): string => join("node_modules", ".bin", name);

/** Of the Debian package `prometheus`; the configuration names the rules. */
function promtool(name: string, ...args: string[]): Check {
  return { name, command: "promtool", args, needs: "promtool" };
}

function alertTests(): string[] {
  return alertFiles(".test.yml").map((name) => join(ALERTS, name));
}

/** Asks the registry once: one that is away, or knows no advisories, holds up nothing. */
const AUDIT: Check = {
  name: "audit of the shipped packages",
  command: "npm",
  args: ["audit", "--json", "--package-lock-only", "--fetch-retries=0", "--fetch-timeout=10000"],
  judge: (stdout) => judgeAudit(stdout, new Set(shippedPackages().map(({ folder }) => folder))),
};

/** Run one after the other, beside the start of the stack and the tests. */
export const STATIC_CHECKS: readonly Check[] = [
  { name: "types", command: bin("tsc"), args: ["--noEmit"] },
  { name: "types of the pages", command: bin("tsc"), args: ["--noEmit", "-p", "packages"] },
  { name: "lint", command: "npm", args: ["run", "--silent", "lint"] },
  { name: "format", command: "npm", args: ["run", "--silent", "format:check"] },
  AUDIT,
  promtool("alert rules", "check", "config", "infra/monitoring/prometheus.yml"),
  promtool("tests of the alert rules", "test", "rules", ...alertTests()),
];

const onOldest = (name: string, ...args: string[]): Check => ({
  name: `${name} on Node ${OLDEST_NODE_VERSION}`,
  command: "npx",
  args: ["-y", "-p", `node@${OLDEST_NODE_VERSION}`, "node", ...args],
});

export const JEST = join("node_modules", "jest", "bin", "jest.js");
const STORY = "draft-to-live-number";

/** What is of no use to the daily work: the benchmarks and the fault runs. */
export const REST_CHECKS: readonly Check[] = [
  { name: "types of the laboratory", command: bin("tsc"), args: ["-p", "test/lab"] },
];

/** What the nightly run does after the tests. */
export const NIGHTLY_CHECKS: readonly Check[] = [
  onOldest("units", JEST, "--selectProjects", "unit"),
  onOldest("one story", JEST, "--selectProjects", "stack", "--testPathPatterns", STORY),
  { name: "faults", command: "npm", args: ["run", "--silent", "faults", "--", "--ci"] },
];

const LABELS = { passed: "passed", failed: "FAILED", "not checked": "not checked" } as const;

/** Runs one check and prints its outcome, its whole output when it fails. */
export function runCheck({ name, command, args, judge }: Check): Promise<Verdict["outcome"]> {
  const measured = startMeasuring();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, output]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout.push(chunk);
      output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    const finish = ({ outcome, detail }: Verdict): void => {
      const why = detail === "" ? "" : `: ${detail}`;
      console.log(`${LABELS[outcome]}  ${name} (${measured()})${why}`);
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

const TICKS_PER_SECOND = 100;
let creditedTicks = 0;

/** CPU of all children that have ended, and of theirs; 0 where the system has no /proc. */
function ticksOfEndedChildren(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return Number(fields[13]) + Number(fields[14]);
  } catch {
    return 0;
  }
}

/** Of a child that ends next: how long it took, and its CPU as far as children that end together can be told apart. */
export function startMeasuring(): () => string {
  const startedAt = performance.now();
  return () => {
    const ticks = ticksOfEndedChildren();
    const cpu = ((ticks - creditedTicks) / TICKS_PER_SECOND).toFixed(0);
    creditedTicks = ticks;
    return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${cpu} CPU-s`;
  };
}
