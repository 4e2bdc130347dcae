import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../infra/project-root.ts";

export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to the inherited environment, such as another cache folder. */
  readonly env?: NodeJS.ProcessEnv;
}

const bin = (name: string, ...path: string[]): string => join("node_modules", name, ...path);

const node = (name: string, ...args: string[]): Check => ({
  name,
  command: process.execPath,
  args,
});

export const JEST = ["--experimental-vm-modules", bin("jest", "bin", "jest.js")] as const;

function onNode24(name: string, ...args: string[]): Check {
  return { name, command: "npx", args: ["-y", "-p", "node@24", "node", ...JEST, ...args] };
}

/** Leaves the tests most of the time, and still comes to an end where other programs take all that is left over. */
function inBackground({ command, args, ...check }: Check): Check {
  return { ...check, command: "nice", args: ["-n", "3", command, ...args] };
}

/** Runs while the stack starts: its own deadlines are short, so the tests on the stack wait for it. */
export const UNIT_TESTS_ON_NODE_24 = onNode24("unit tests on Node 24", "--selectProjects", "unit");

/** The build has checked the same sources; only what changed since is checked again. */
const SINCE_THE_BUILD = ["--incremental", "--tsBuildInfoFile", join("dist", ".tsbuildinfo")];

/** Run beside the tests, one after the other. */
export const STATIC_CHECKS: readonly Check[] = [
  node("lint", bin("eslint", "bin", "eslint.js"), ".", "--max-warnings", "0"),
  node("typecheck", bin("typescript", "bin", "tsc"), "--noEmit", ...SINCE_THE_BUILD),
  node("typecheck of the pages", bin("typescript", "bin", "tsc"), "--noEmit", "-p", "services/web"),
  node("format", bin("prettier", "bin", "prettier.cjs"), "--check", "."),
].map(inBackground);

/** What Helm makes of the chart; a run without Helm builds it first. */
export const CHART_CHECK = inBackground(
  node("Helm chart", ...JEST, "--selectProjects", "chart", "--runInBand"),
);

/** One end-to-end test with the services on the Node version of the image; it needs the run's stack. */
export const END_TO_END_ON_NODE_24 = onNode24(
  "one end-to-end test on Node 24",
  "--selectProjects",
  "e2e",
  "--testPathPatterns",
  "draft-to-live-number",
);

/** Runs one check and prints its output when it fails; true when it passed. */
export function runCheck({ name, command, args, env }: Check): Promise<boolean> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    const finish = (passed: boolean, why: string): void => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${passed ? "passed" : "FAILED"}  ${name} (${seconds} s)${why}`);
      if (!passed) console.log(Buffer.concat(output).toString("utf8"));
      resolve(passed);
    };
    child.once("error", (error) => finish(false, `: ${error.message}`));
    child.once("close", (code) => finish(code === 0, ""));
  });
}
