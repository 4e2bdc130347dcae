/**
 * Runs one program of the project from its source: `node infra/run.mjs infra/start/main.ts [arguments]`. Node strips the
 * types; nothing is compiled. On a Node that cannot, it goes on under a current one.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { delimiter, dirname, join } from "node:path";
import { setInterval } from "node:timers";
import { fileURLToPath, pathToFileURL, URL } from "node:url";
import { currentNode } from "./current-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, , program = "", ...args] = process.argv;

/** Runs the same command under another Node, which its children find first, and ends as it does. */
function goOnUnder(node) {
  const path = [dirname(node), process.env.PATH ?? ""].join(delimiter);
  const child = spawn(node, [fileURLToPath(import.meta.url), program, ...args], {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  // A terminal sends Ctrl-C to both, which counts as one request.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  // npm ends on SIGTERM without passing it on.
  const { ppid } = process;
  setInterval(() => process.ppid !== ppid && child.kill("SIGTERM"), 500).unref();
  child.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  goOnUnder(currentNode(root));
} else {
  const cache = join(root, ".cache", "compile");
  module.enableCompileCache(cache);
  process.env.NODE_COMPILE_CACHE ??= cache;
  const settings = join(root, ".env");
  // Tests ignore .env: a developer's own settings must not lead them to another database.
  if (!program.startsWith("test/") && existsSync(settings)) process.loadEnvFile(settings);
  process.argv.splice(1, 2, join(root, program));
  await import(pathToFileURL(join(root, program)).href);
}
