import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectRoot } from "../../../../infra/project-root.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";

const run = promisify(execFile);
const UP_MS = 240_000;

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });
const credentialsFile = z.object({
  api_url: z.string(),
  desk_url: z.string(),
  api_key: z.string(),
  desk_token: z.string(),
  database_url: z.string(),
  kafka_brokers: z.string(),
  schema_registry_url: z.string(),
});

export type StartCredentials = z.output<typeof credentialsFile>;

/** Puts the sources of a git revision, with the packages of its lock file, into a folder. */
export async function checkOut(revision: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const archive = join(folder, "source.tar");
  await run("git", ["archive", "--output", archive, revision], { cwd: projectRoot });
  await run("tar", ["-xf", archive, "-C", folder]);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  // Kafka and the registry are the same files.
  symlinkSync(join(projectRoot, ".cache"), join(folder, ".cache"));
}

export interface RunningRelease {
  readonly credentials: StartCredentials;
  /** Resolves when everything has ended. */
  stop(): Promise<void>;
}

/** Runs `npm start` of the release in a folder until it is up. */
export async function startRelease(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningRelease> {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const [, ...args] = packageFile.parse(JSON.parse(text)).scripts.start.split(" ");
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  const file = join(env["DATA_DIR"] ?? "", "credentials.json");
  try {
    const isUp = (): boolean => {
      if (child.exitCode !== null) throw new Error(output);
      return existsSync(file);
    };
    await until(isUp, { timeoutMs: UP_MS, what: `npm start in ${folder}` });
  } catch (error) {
    await stop();
    throw error;
  }
  return { credentials: credentialsFile.parse(JSON.parse(readFileSync(file, "utf8"))), stop };
}
