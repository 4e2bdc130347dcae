import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../infra/project-root.ts";
import { pythonVenv } from "./python-venv.ts";

/** Another realm's error, so that `instanceof` says nothing of it. */
const failed = z.looseObject({ stdout: z.string() });
const run = promisify(execFile);

const FOLDER = join(projectRoot, "test", "schemathesis");
const SEED = "20260302";
/** Event streams do not end, so that no answer of theirs can be waited for; a key that is revoked ends the run. */
const LEFT_OUT = "/stream$|/docs|^DELETE /v2/api_keys/";

export interface SchemathesisRun {
  readonly program: string;
  readonly url: string;
  readonly key: string;
  readonly seconds: number;
}

/** The program, installed in its pinned version where it is not there yet. */
export async function installSchemathesis(): Promise<string> {
  return join(await pythonVenv("schemathesis", join(FOLDER, "requirements.txt")), "schemathesis");
}

export interface SchemathesisReport {
  readonly passed: boolean;
  /** What it said at the end, or what it found to be wrong. */
  readonly text: string;
}

/** Runs all checks against a listener by the document that it serves. */
export async function runSchemathesis(options: SchemathesisRun): Promise<SchemathesisReport> {
  const { program, url, key, seconds } = options;
  const args = [
    ...["--config-file", join(FOLDER, "schemathesis.toml"), "run", `${url}/openapi.json`],
    ...["--checks", "all", "--seed", SEED, "--max-time", String(seconds), "--workers", "1"],
    ...["--exclude-name-regex", LEFT_OUT, "--request-timeout", "20", "--warnings", "off"],
  ];
  const env = { ...process.env, PORTING_KEY: key, NO_COLOR: "1", COLUMNS: "160" };
  try {
    const { stdout } = await run(program, args, {
      env,
      cwd: dirname(program),
      maxBuffer: 64 * 1024 * 1024,
    });
    return { passed: true, text: stdout };
  } catch (error) {
    const { stdout } = failed.parse(error);
    return { passed: false, text: stdout };
  }
}
