import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "../../../infra/docs-site/code-blocks.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { eventually } from "../eventually.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { openEngine } from "./engine.ts";

const run = promisify(execFile);

/** Another project, image and volumes than those of whoever runs the product on the same engine. */
const PROJECT = "porting-compose-test";
const IMAGE = /\bnumber-porting-service:\d+\.\d+\.\d+/g;
const LEFT_OUT: readonly string[] = ["node_modules", ".git", ".cache", ".data", ".env", "dist"];
const RECOVERY_MS = 180_000;

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the checked-out project, with the engine that runs its docker-compose.yml. */
export interface ComposeProject {
  readonly folder: string;
  readonly apiUrl: string;
  readonly deskUrl: string;
  /** Runs commands in the copy, as the guide's reader does. */
  attempt(commands: string): Promise<Printed>;
  /** The same, and returns what they print. @throws with it where one fails */
  run(commands: string): Promise<string>;
  /** The guide's block of commands or settings with this text in it, with this project's names. */
  block(text: string): string;
  /** Kills containers' first processes, and with them all others there, and waits until the engine has started them again. */
  kill(...services: readonly string[]): Promise<void>;
  /** Waits until all of these run again and say that they are healthy. */
  untilHealthy(services: readonly string[]): Promise<void>;
  /** Checks another version out, whose image is another. */
  checkOut(version: string): void;
}

function copyProject(folder: string): void {
  cpSync(projectRoot, folder, {
    recursive: true,
    filter: (path) => path === projectRoot || !LEFT_OUT.includes(basename(path)),
  });
}

/** .env as the guide has it copied, on free ports; it names a database that Compose must not take. */
async function writeSettings(folder: string): Promise<{ api: number; desk: number }> {
  const [api, desk] = [await freePort(), await freePort()];
  const values: Readonly<Record<string, string>> = {
    API_PORT: String(api),
    DESK_PORT: String(desk),
    RATE_LIMIT_PER_MINUTE: "0",
    DATABASE_URL: "postgresql://nobody:nothing@127.0.0.1:1/elsewhere",
  };
  const text = readFileSync(join(projectRoot, ".env.example"), "utf8");
  const settings = text.replace(/^(\w+)=.*$/gm, (line, name: string) =>
    values[name] === undefined ? line : `${name}=${values[name]}`,
  );
  writeFileSync(join(folder, ".env"), settings);
  return { api, desk };
}

/** Only what finds the engine: Compose would take the variables of this process before those of .env. */
function bareEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => /^(PATH|HOME|DOCKER_\w+)$/.test(name));
  return { ...Object.fromEntries(kept), COMPOSE_PROJECT_NAME: PROJECT };
}

const REMOVAL = `docker compose down --volumes --remove-orphans --timeout 5
docker volume ls -q --filter name=^${PROJECT} | xargs -r docker volume rm
docker image ls -q --filter reference=${PROJECT} | sort -u | xargs -r docker image rm -f`;

/** Copies the project and finds an engine; containers, volumes and images of the copy are removed after the tests. */
export async function openComposeProject(): Promise<ComposeProject> {
  const engine = await openEngine();
  endAfterTests(() => engine.stop());
  const env = bareEnvironment(engine.env);
  const folder = join(temporaryFolder("compose"), "project");
  copyProject(folder);
  const ports = await writeSettings(folder);
  const composeFile = join(folder, "docker-compose.yml");
  const guide = readFileSync(join(projectRoot, "docs", "guides", "docker.md"), "utf8");

  const adapted = (text: string): string =>
    text
      .replaceAll("number-porting-service_", `${PROJECT}_`)
      .replaceAll("porting-restored", `${PROJECT}-restored`)
      .replaceAll("/srv/porting", join(folder, "srv"))
      .replaceAll("localhost:3001", `localhost:${ports.desk}`);

  async function attempt(commands: string): Promise<Printed> {
    const args = ["-Eeuo", "pipefail", "-c", commands];
    const child = spawn("bash", args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => (printed[name] += text));
    }
    const [code] = (await once(child, "close")) as [number | null];
    return { code, ...printed };
  }

  /** Of the first processes; 0 where none runs. */
  async function pidsOf(services: readonly string[]): Promise<string[]> {
    const ids = `$(docker compose ps -aq ${services.join(" ")})`;
    return (await project.run(`docker inspect -f '{{.State.Pid}}' ${ids}`)).trim().split("\n");
  }

  const project: ComposeProject = {
    folder,
    apiUrl: `http://127.0.0.1:${ports.api}`,
    deskUrl: `http://127.0.0.1:${ports.desk}`,
    attempt,
    run: async (commands) => {
      const { code, stdout, stderr } = await attempt(commands);
      if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${stdout}\n${stderr}`);
      return stdout;
    },
    block: (text) => {
      const found = codeBlocks(guide).find((block) => block.text.includes(text));
      if (found === undefined) throw new Error(`the guide has no block with ${text}`);
      return adapted(found.text);
    },
    kill: async (...services) => {
      const before = await pidsOf(services);
      const kill = ["bash", "-c", `kill -9 ${before.join(" ")}`];
      // Where the engine is, which need not be this machine.
      const there = ["run", "--rm", "--pid=host", "debian", ...kill];
      await run("docker", there, { env });
      await eventually(async () => {
        const now = await pidsOf(services);
        const left = now.filter((pid) => pid === "0" || before.includes(pid));
        if (left.length > 0) throw new Error(`not started again: ${left.length}`);
      }, RECOVERY_MS);
    },
    untilHealthy: async (services) => {
      await eventually(async () => {
        const format = "{{.Service}} {{.State}} {{.Health}}";
        const listed = await project.run(`docker compose ps -a --format '${format}'`);
        const lines = new Set(listed.split("\n"));
        const missing = services.filter((name) => !lines.has(`${name} running healthy`));
        if (missing.length > 0) throw new Error(`not healthy: ${missing.join(", ")}\n${listed}`);
      }, RECOVERY_MS);
    },
    checkOut: (version) => {
      const text = readFileSync(composeFile, "utf8");
      const image = `${PROJECT}:${version}`;
      const named = text.replaceAll(IMAGE, image).replaceAll(/\bporting-compose-test:\S+/g, image);
      writeFileSync(composeFile, named);
      // What every program of the image has.
      writeFileSync(
        join(folder, "services", "version.ts"),
        `export const VERSION = "${version}";\n`,
      );
    },
  };
  project.checkOut("before");
  await project.attempt(REMOVAL);
  endAfterTests(() => project.attempt(REMOVAL));
  return project;
}
