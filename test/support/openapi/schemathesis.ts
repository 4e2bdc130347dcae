import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";
import { pythonVenv } from "../programs/python-venv.ts";
import { readReport, type Phase, type SchemathesisReport } from "./schemathesis-report.ts";

/** Another realm's error, so that `instanceof` says nothing of it. */
const failed = z.looseObject({ stdout: z.string() });
const run = promisify(execFile);

const FOLDER = join(projectRoot, "test", "schemathesis");
const SEED = 20_260_302;
const MOST_OUTPUT = 64 * 1024 * 1024;

export interface SchemathesisRun {
  readonly program: string;
  readonly url: string;
  readonly key: string;
  readonly phases: readonly Phase[];
  /** What the run's choices follow from; the same for all unless given. */
  readonly seed?: number;
  /** For the run's hooks. */
  readonly env: Readonly<Record<string, string>>;
}

/** The program, installed in its pinned version where it is not there yet. */
export async function installSchemathesis(): Promise<string> {
  return join(await pythonVenv("schemathesis", join(FOLDER, "requirements.txt")), "schemathesis");
}

/** Runs all checks in some phases on every operation of a listener, by the document that it serves. */
export async function runSchemathesis(options: SchemathesisRun): Promise<SchemathesisReport> {
  const { program, url, key, phases, seed = SEED } = options;
  const folder = await mkdtemp(join(tmpdir(), "porting-schemathesis-"));
  const [json, ndjson] = [join(folder, "verdict.json"), join(folder, "events.ndjson")];
  const args = [
    ...["--config-file", join(FOLDER, "schemathesis.toml"), "run", `${url}/openapi.json`],
    ...["--seed", `${seed}`, "--workers", "1"],
    ...["--phases", phases.join(",")],
    ...["--request-timeout", "20", "--warnings", "off"],
    ...["--report-json-path", json, "--report-ndjson-path", ndjson],
  ];
  const env = {
    ...process.env,
    ...options.env,
    PORTING_KEY: key,
    SCHEMATHESIS_HOOKS: "hooks",
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: "1",
    NO_COLOR: "1",
    COLUMNS: "160",
  };
  try {
    const text = await output(program, args, { env, cwd: folder });
    return await readReport({ json, ndjson }, text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it says; where it ends with a fault too, for the report tells that. */
async function output(
  program: string,
  args: readonly string[],
  place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<string> {
  try {
    return (await run(program, args, { ...place, maxBuffer: MOST_OUTPUT })).stdout;
  } catch (error) {
    return failed.parse(error).stdout;
  }
}
