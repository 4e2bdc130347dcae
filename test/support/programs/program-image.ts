import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { ensurePages } from "../../../infra/pages/ensure-pages.ts";
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

/** The lines of the Dockerfile's two stages. */
function stages(): readonly [string[], string[]] {
  const text = readFileSync(join(projectRoot, "infra", "docker", "Dockerfile"), "utf8");
  const [, build = "", runtime = ""] = text.split(/^FROM /m);
  return [build.split("\n"), runtime.split("\n")];
}

/**
 * Copies what the runtime stage copies and runs its npm ci. Of the build stage, it makes the pages and the bill of materials,
 * and removes from the sources what that removes.
 */
export async function buildProgramImage(): Promise<ProgramImage> {
  const folder = temporaryFolder("image");
  const [build, runtime] = stages();
  await ensurePages(() => undefined);
  writeSbom();
  for (const line of runtime) {
    const [, paths] = /^COPY (?:--from=build )?(.+)$/.exec(line) ?? [];
    const names = paths?.split(" ") ?? [];
    const target = join(folder, names.at(-1) ?? "");
    for (const name of names.slice(0, -1)) {
      const path = name.startsWith(APP) ? name.slice(APP.length) : name;
      const to = target.endsWith("/") || target === folder ? join(target, basename(path)) : target;
      mkdirSync(join(to, ".."), { recursive: true });
      cpSync(join(projectRoot, path), to, { recursive: true });
    }
    const [, install] = /^RUN npm (ci [^&]*)/.exec(line) ?? [];
    if (install === undefined) continue;
    // Packages that the project's own npm ci has fetched come from the cache.
    await run("npm", [...install.trim().split(/\s+/), "--prefer-offline"], { cwd: folder });
  }
  const [removal = ""] = build.filter((line) => line.startsWith("RUN rm "));
  await run("sh", ["-ec", removal.slice("RUN ".length)], { cwd: folder });
  return {
    folder,
    runJob: async (command, env) => {
      const { stdout } = await run(process.execPath, command, { cwd: folder, env });
      return stdout;
    },
  };
}
