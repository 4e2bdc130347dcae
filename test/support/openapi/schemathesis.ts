import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";
import { pythonVenv } from "../programs/python-venv.ts";
import { readReport, type Phase, type SchemathesisReport } from "./schemathesis-report.ts";

/** The error comes from another realm, where `instanceof` does not work. */
const failed = z.looseObject({ stdout: z.string() });
const run = promisify(execFile);

const FOLDER = join(projectRoot, "test", "lab", "schemathesis");
const SEED = 20_260_302;
const MOST_OUTPUT = 64 * 1024 * 1024;

export interface SchemathesisRun {
  readonly program: string;
  readonly url: string;
  readonly key: string;
  readonly phases: readonly Phase[];
  /** Seed of the run's random choices; a fixed one unless given. */
  readonly seed?: number;
  /** Variables for the run's hooks. */
  readonly env: Readonly<Record<string, string>>;
}

/** The program's path; installs its pinned version where it is missing. */
export async function installSchemathesis(): Promise<string> {
  return join(await pythonVenv("schemathesis", join(FOLDER, "requirements.txt")), "schemathesis");
}

/** Runs all checks of the given phases on every operation of a listener, from the document that it serves. */
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

/** The program's output, also where it exits with an error: the report shows that. */
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
