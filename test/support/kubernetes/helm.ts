import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../infra/project-root.ts";

const run = promisify(execFile);

const VERSION = "v4.3.1";
/** What this version of Helm is built with, at least. */
const GO = { major: 1, minor: 26 };
const FOLDER = join(projectRoot, ".cache", `helm-${VERSION}`);
const BUILT = join(FOLDER, "helm");

async function outputOf(command: string, args: readonly string[]): Promise<string | null> {
  try {
    return (await run(command, args)).stdout;
  } catch {
    return null;
  }
}

async function hasHelm(): Promise<boolean> {
  return (await outputOf("helm", ["version", "--short"]))?.startsWith("v4.") === true;
}

async function hasGo(): Promise<boolean> {
  const version = await outputOf("go", ["env", "GOVERSION"]);
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version ?? "") ?? [];
  return Number(major) === GO.major && Number(minor) >= GO.minor;
}

/** Why the chart cannot be rendered on this machine; null where it can. */
export async function whyNoHelm(): Promise<string | null> {
  if (existsSync(BUILT) || (await hasHelm()) || (await hasGo())) return null;
  return `neither Helm 4 nor Go ${GO.major}.${GO.minor}, which builds it, is installed`;
}

/**
 * Helm's path: what an earlier run has built, else the one that is installed, else one built here of its own Go module,
 * whose sum the public database of Go modules has.
 */
export async function helmProgram(): Promise<string> {
  if (existsSync(BUILT)) return BUILT;
  if (await hasHelm()) return "helm";
  const building = join(FOLDER, `building-${process.pid}`);
  await mkdir(building, { recursive: true });
  const env = { ...process.env, GOBIN: building, CGO_ENABLED: "0", GOFLAGS: "" };
  // Without optimisation, which takes longer than it saves here.
  const flags = ["-gcflags=all=-N -l", "-ldflags=-s -w"];
  await run("go", ["install", ...flags, `helm.sh/helm/v4/cmd/helm@${VERSION}`], { env });
  await rename(join(building, "helm"), BUILT);
  await rm(building, { recursive: true });
  return BUILT;
}
