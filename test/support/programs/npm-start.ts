import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { outputOf } from "./program-output.ts";

const START_MS = 120_000;

const credentials = z.looseObject({
  api_url: z.string(),
  desk_url: z.string(),
  api_key: z.string(),
  desk_token: z.string(),
  database_url: z.string(),
});

export interface NpmStart {
  readonly pid: number;
  readonly credentials: z.infer<typeof credentials>;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Runs what `npm start` runs, on any free ports, and waits until it is up; stopped after the tests. */
export async function npmStart(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<NpmStart> {
  const child = spawn(process.execPath, ["infra/run.mjs", "infra/start/main.ts"], {
    cwd: projectRoot,
    env: { ...process.env, API_PORT: "0", DESK_PORT: "0", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const stop = endAfterTests(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const output = outputOf(child);
  const file = join(dataDir, "credentials.json");
  const isUp = (): boolean => {
    if (child.exitCode !== null) throw new Error(output());
    return existsSync(file) && output().includes("Everything is running");
  };
  await until(isUp, { timeoutMs: START_MS, what: "npm start" });
  const found = credentials.parse(JSON.parse(readFileSync(file, "utf8")));
  return { pid: child.pid ?? 0, credentials: found, output, stop };
}

export interface RunningProcess {
  readonly pid: number;
  readonly uid: number;
  readonly command: string;
}

/** The processes below a process (Linux only). */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const found = new Set([pid]);
  // Parents may have a higher pid than their children.
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const one of all) if (found.has(one.parent)) found.add(one.pid);
  }
  return all.filter((one) => one.pid !== pid && found.has(one.pid));
}

function readProcess(name: string): (RunningProcess & { readonly parent: number })[] {
  try {
    const status = readFileSync(`/proc/${name}/status`, "utf8");
    const field = (key: string): number =>
      Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1]);
    const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(name), uid: field("Uid"), parent: field("PPid"), command }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
