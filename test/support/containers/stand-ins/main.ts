import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureKafka, ensureRegistry } from "../../../../infra/local-stack/artifacts.ts";
import { LTS_NODE_VERSION } from "../../../../infra/node-version.ts";
import { projectRoot } from "../../../../infra/project-root.ts";
import { composeService } from "../../programs/compose-file.ts";
import { requireProgram } from "../../programs/debian-program.ts";
import { CONTAINERS, openEngine, PLUGIN } from "../engine.ts";

/**
 * Builds what docker-compose.yml would pull, for a machine that reaches Debian, npm and Maven but no registry of images, as
 * root on Debian: `node infra/run.mjs test/support/containers/stand-ins/main.ts`. It proves the file, our image and the
 * order of start, not the official images.
 */
const RELEASE = "trixie";
const BASE = `debian:${RELEASE}-slim`;
const NPM = "npm@11.21.2";
const TREE = join(CONTAINERS, RELEASE);
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

async function run(command: string, args: readonly string[], env = process.env): Promise<void> {
  console.log(`${command} ${args.join(" ")}`);
  const child = spawn(command, args, { env, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** Debian's newest release, of which the images and Compose are made. */
async function ensureTree(): Promise<void> {
  if (existsSync(join(TREE, "etc", "debian_version"))) return;
  requireProgram("debootstrap");
  const draft = `${TREE}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await run("debootstrap", ["--variant=minbase", RELEASE, draft]);
  await run("mv", [draft, TREE]);
}

/** Debian has the plugin since trixie. */
async function ensureCompose(): Promise<void> {
  if (existsSync(PLUGIN)) return;
  const fetch =
    "apt-get update && cd /tmp && apt-get download docker-compose && dpkg -x *.deb plugin";
  await run("chroot", [TREE, "sh", "-ec", fetch]);
  mkdirSync(dirname(PLUGIN), { recursive: true });
  const found = join(TREE, "tmp", "plugin", "usr/libexec/docker/cli-plugins/docker-compose");
  cpSync(found, PLUGIN);
}

/** What npm has of the package, unpacked into a folder. */
async function unpack(name: string, folder: string): Promise<void> {
  mkdirSync(folder);
  await run("npm", ["pack", "--silent", "--pack-destination", folder, name]);
  await run("sh", ["-ec", `cd ${folder} && tar -xzf *.tgz`]);
}

/** The folder in which images are built, with all that they copy. */
async function gather(folder: string): Promise<void> {
  cpSync(import.meta.dirname, folder, { recursive: true });
  cpSync(CERTIFICATES, join(folder, "ca-certificates.crt"), { dereference: true });
  const downloads = {
    cacheDir: join(projectRoot, ".cache", "embedded"),
    log: console.log,
    signal: new AbortController().signal,
  };
  mkdirSync(downloads.cacheDir, { recursive: true });
  cpSync(await ensureKafka(downloads), join(folder, "kafka"), { recursive: true });
  cpSync(await ensureRegistry(downloads), join(folder, "registry"), { recursive: true });
  await unpack(`node-linux-${process.arch}@${LTS_NODE_VERSION}`, join(folder, "node-package"));
  cpSync(join(folder, "node-package", "package", "bin", "node"), join(folder, "node"));
  await unpack(NPM, join(folder, "npm-package"));
  cpSync(join(folder, "npm-package", "package"), join(folder, "npm"), { recursive: true });
}

function nodeImage(): string {
  const dockerfile = readFileSync(join(projectRoot, "infra", "docker", "Dockerfile"), "utf8");
  return /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? "node";
}

/** In this order, because two begin with java's. */
const IMAGES: readonly (readonly [file: string, name: string])[] = [
  ["node", nodeImage()],
  ["postgres", composeService("postgres").image],
  ["java", "stand-in-java"],
  ["kafka", composeService("kafka").image],
  ["registry", composeService("registry").image],
];

await ensureTree();
await ensureCompose();
const engine = await openEngine();
const folder = mkdtempSync(join(CONTAINERS, "context-"));
try {
  await run(
    "sh",
    ["-ec", `tar -C ${TREE} --exclude=./tmp/* -c . | docker import - ${BASE}`],
    engine.env,
  );
  // The guide copies documents by it.
  await run("docker", ["tag", BASE, "debian:latest"], engine.env);
  await gather(folder);
  for (const [file, name] of IMAGES) {
    const args = ["build", "--network=host", "-t", name, "-f", join(folder, `${file}.Dockerfile`)];
    await run("docker", [...args, folder], { ...engine.env, DOCKER_BUILDKIT: "0" });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await engine.stop();
}
