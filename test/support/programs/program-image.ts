import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../infra/project-root.ts";
import { writeSbom } from "../../../infra/supply-chain/sbom.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";

const run = promisify(execFile);
const APP = "/app/";

/** The contents of the image's runtime stage, in a temporary folder. */
export interface ProgramImage {
  readonly folder: string;
  /** Runs a job to its end, as `command` does in a container, and returns its output. @throws when it fails */
  runJob(command: readonly string[], env: NodeJS.ProcessEnv): Promise<string>;
}

function runtimeStage(): string[] {
  const text = readFileSync(join(projectRoot, "infra", "docker", "Dockerfile"), "utf8");
  return text.slice(text.lastIndexOf("\nFROM ")).split("\n");
}

/** Copies what the Dockerfile copies and runs its npm ci; of the build stage, only the bill of materials is made again. */
export async function buildProgramImage(): Promise<ProgramImage> {
  const folder = temporaryFolder("image");
  writeSbom();
  for (const line of runtimeStage()) {
    const [, paths] = /^COPY (?:--from=build )?(.+)$/.exec(line) ?? [];
    const names = paths?.split(" ") ?? [];
    const target = join(folder, names.at(-1) ?? "");
    for (const name of names.slice(0, -1)) {
      const path = name.startsWith(APP) ? name.slice(APP.length) : name;
      const to = target.endsWith("/") || target === folder ? join(target, basename(path)) : target;
      mkdirSync(join(to, ".."), { recursive: true });
      cpSync(join(projectRoot, path), to, { recursive: true, filter: isNoTest });
    }
    const [, install] = /^RUN npm (ci [^&]*)/.exec(line) ?? [];
    if (install === undefined) continue;
    // Packages that the project's own npm ci has fetched come from the cache.
    await run("npm", [...install.trim().split(/\s+/), "--prefer-offline"], { cwd: folder });
  }
  return {
    folder,
    runJob: async ([program = "", ...rest], env) => {
      const args = ["--enable-source-maps", program, ...rest];
      const { stdout } = await run(process.execPath, args, { cwd: folder, env });
      return stdout;
    },
  };
}

function isNoTest(path: string): boolean {
  return !/\.test\.js(\.map)?$/.test(path);
}
