import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../infra/project-root.ts";
import { pythonVenv } from "./python-venv.ts";

/** Another realm's error, so that `instanceof` says nothing of it. */
const failed = z.looseObject({ stdout: z.string() });
const run = promisify(execFile);

const FOLDER = join(projectRoot, "test", "schemathesis");
const SEED = "20260302";

export interface SchemathesisRun {
  readonly program: string;
  readonly url: string;
  readonly key: string;
  /** The id of the key, which is not to be revoked. */
  readonly keyId?: string;
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
  const { program, url, key, keyId, seconds } = options;
  const folder = await mkdtemp(join(tmpdir(), "porting-schemathesis-"));
  const args = [
    ...["--config-file", join(FOLDER, "schemathesis.toml"), "run", `${url}/openapi.json`],
    ...["--checks", "all", "--seed", SEED, "--max-time", String(seconds), "--workers", "1"],
    ...["--request-timeout", "20"],
    ...["--report", "json,ndjson", "--report-dir", process.env["KEEP_REPORT"] ?? folder],
  ];
  const env = {
    ...process.env,
    PORTING_KEY: key,
    PORTING_KEY_ID: keyId,
    SCHEMATHESIS_HOOKS: "hooks",
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: "1",
    NO_COLOR: "1",
    COLUMNS: "160",
  };
  try {
    const { stdout } = await run(program, args, { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { passed: true, text: stdout };
  } catch (error) {
    const { stdout } = failed.parse(error);
    return { passed: false, text: stdout };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
