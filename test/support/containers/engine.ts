import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pathOf } from "../programs/debian-program.ts";
import { eventually } from "../eventually.ts";

const run = promisify(execFile);

/** Images and what is fetched for them: kept between runs, and not in the project, whose folder Jest walks through. */
export const CONTAINERS = join(homedir(), ".cache", "number-porting-service", "containers");
/** Docker's settings where Compose is not installed: the plugin that stand-ins/main.ts fetched. */
export const PLUGIN = join(CONTAINERS, "config", "cli-plugins", "docker-compose");
const RUNNING = join(CONTAINERS, "run");
const SOCKET = join(RUNNING, "docker.sock");
const START_MS = 60_000;

export interface Engine {
  /** What makes `docker` and `docker compose` use it. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

function works(args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return run("docker", args, { env }).then(
    () => true,
    () => false,
  );
}

const answers = (env: NodeJS.ProcessEnv): Promise<boolean> =>
  works(["version", "--format", "{{.Server.Version}}"], env);

/** With the plugin Compose: the one that is installed, else the one that was fetched. */
async function withCompose(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv | null> {
  const fetched = { ...env, DOCKER_CONFIG: join(CONTAINERS, "config") };
  for (const one of [env, fetched]) if (await works(["compose", "version"], one)) return one;
  return null;
}

const mayStart = (): boolean => process.getuid?.() === 0 && pathOf("dockerd") !== undefined;

/** Why no container can be run on this machine; null where it can. */
export async function whyNoDocker(): Promise<string | null> {
  if (pathOf("docker") === undefined) return "docker is not installed";
  if ((await withCompose(process.env)) === null) return "docker has no plugin compose";
  if (mayStart() || (await answers(process.env))) return null;
  return "no engine answers, and none can be started by this user";
}

const PIDFILE = join(RUNNING, "docker.pid");

/** Starts one on folders of its own, unless a killed run has left it running. */
async function startOwn(env: NodeJS.ProcessEnv): Promise<void> {
  if (await answers(env)) return;
  mkdirSync(RUNNING, { recursive: true });
  const log = openSync(join(CONTAINERS, "dockerd.log"), "a");
  const args = [
    `--data-root=${join(CONTAINERS, "engine")}`,
    `--exec-root=${RUNNING}`,
    `--host=unix://${SOCKET}`,
    `--pidfile=${PIDFILE}`,
  ];
  const dockerd = spawn("dockerd", args, { stdio: ["ignore", log, log] });
  await eventually(async () => {
    if (dockerd.exitCode === null && (await answers(env))) return;
    throw new Error(`dockerd does not answer: see ${join(CONTAINERS, "dockerd.log")}`);
  }, START_MS);
}

/** The engine that `docker` finds by itself; where none answers, one of our own. */
export async function openEngine(): Promise<Engine> {
  const env = (await withCompose(process.env)) ?? process.env;
  if (await answers(env)) return { env, stop: () => Promise.resolve() };
  if (!mayStart()) throw new Error((await whyNoDocker()) ?? "no engine answers");
  const own = { ...env, DOCKER_HOST: `unix://${SOCKET}` };
  await startOwn(own);
  const stop = async (): Promise<void> => {
    process.kill(Number(readFileSync(PIDFILE, "utf8")), "SIGTERM");
    // The last that it removes.
    await eventually(() => {
      if (existsSync(PIDFILE)) throw new Error("dockerd has not ended");
    }, START_MS);
  };
  return { env: own, stop };
}
