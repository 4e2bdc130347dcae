import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchArtifact, JVM_FLAGS, requireJava } from "../../../infra/local-stack/artifacts.ts";
import { runCommand } from "../../../infra/local-stack/process-owner.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { npmFolder } from "../programs/npm-folder.ts";
import { pythonVenv } from "../programs/python-venv.ts";

const SOURCE = join(projectRoot, "test", "lab", "clients");
const GENERATOR_VERSION = "7.25.0";
/** The document, in the folder that clients are generated into. */
export const DOCUMENT = "openapi.json";

/** The installed programs. */
export interface ClientGenerators {
  /** Of npm's programs. */
  readonly bin: string;
  /** Of Python's programs. */
  readonly python: string;
  readonly java: string;
  readonly jar: string;
}

/** Installs the pinned version of every generator that is missing. */
export async function installGenerators(): Promise<ClientGenerators> {
  const [bin, python, java, folder] = await Promise.all([
    npmFolder("client-generators", SOURCE),
    pythonVenv("python-client", join(SOURCE, "requirements.txt")),
    requireJava(process.env),
    fetchGenerator(),
  ]);
  return { bin, python, java, jar: join(folder, `openapi-generator-cli-${GENERATOR_VERSION}.jar`) };
}

function fetchGenerator(): Promise<string> {
  const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}:jar`;
  const goal = ["dependency:copy", `-Dartifact=${artifact}`];
  return fetchArtifact(
    {
      folder: `openapi-generator-${GENERATOR_VERSION}`,
      progress: `fetching the OpenAPI generator ${GENERATOR_VERSION} (30 MB) …`,
      fetchInto: (draft, signal) =>
        runCommand("mvn", ["-B", "-q", ...goal, `-DoutputDirectory=${draft}`], {
          cwd: draft,
          signal,
        }),
    },
    {
      cacheDir: join(projectRoot, ".cache", "embedded"),
      log: (line) => process.stderr.write(`${line}\n`),
      signal: new AbortController().signal,
    },
  );
}

/** What Spectral's rules for OpenAPI find, hints included. */
export async function spectralFindings({ bin }: ClientGenerators, cwd: string): Promise<string> {
  const rules = join(SOURCE, "spectral.yaml");
  const args = ["lint", DOCUMENT, "--ruleset", rules, "--quiet", "--fail-severity", "hint"];
  return outputOf(join(bin, "spectral"), args, cwd);
}

/** Each generates its client into a folder of its own name. */
export const GENERATORS = {
  "typescript-fetch": async ({ java, jar }, cwd) => {
    const folder = join(cwd, "typescript-fetch");
    await mkdir(folder);
    // It makes a class of the webhooks too, which does not compile and which its index leaves out.
    await writeFile(join(folder, ".openapi-generator-ignore"), "apis/WebhooksApi.ts\n");
    const to = ["-o", folder, "-i", join(cwd, DOCUMENT)];
    const args = ["-jar", jar, "generate", "-g", "typescript-fetch", ...to];
    return outputOf(java, [...JVM_FLAGS, "-Xmx512m", ...args], cwd);
  },
  "openapi-typescript": ({ bin }, cwd) =>
    outputOf(join(bin, "openapi-typescript"), [DOCUMENT, "-o", "openapi-typescript/api.ts"], cwd),
  orval: async ({ bin }, cwd) => {
    await copyFile(join(SOURCE, "orval.config.mjs"), join(cwd, "orval.config.mjs"));
    return outputOf(join(bin, "orval"), ["--config", "orval.config.mjs"], cwd);
  },
  "openapi-python-client": ({ python }, cwd) => {
    const to = ["--output-path", "porting_client", "--fail-on-warning"];
    const config = join(SOURCE, "python-client.yaml");
    const args = ["generate", "--path", DOCUMENT, "--meta", "none", "--config", config, ...to];
    return outputOf(join(python, "openapi-python-client"), args, cwd);
  },
} as const satisfies Record<string, (generators: ClientGenerators, cwd: string) => Promise<string>>;

/** Compiles TypeScript in a folder. @throws with the compiler's messages */
export async function compileTypeScript(cwd: string, include: readonly string[]): Promise<void> {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    types: [],
  };
  await writeFile(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
  await outputOf(process.execPath, [compiler, "--project", "tsconfig.json"], cwd);
}

/** Compiles the Python client, then plays docs/guides/quick-start.md with it; returns what the program prints. */
export async function runStory(
  { python }: ClientGenerators,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const interpreter = join(python, "python");
  await outputOf(interpreter, ["-m", "compileall", "-q", "porting_client"], cwd);
  const all = { ...process.env, ...env, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await runCommand(interpreter, [join(SOURCE, "story.py")], { cwd, env: all });
  return stdout;
}

/** Runs a program in a folder and returns what it prints. @throws with its last lines, if it fails */
async function outputOf(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await runCommand(program, args, { cwd });
  return `${stdout}${stderr}`;
}
