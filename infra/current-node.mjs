import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The release that node-version.ts names; this file runs where TypeScript cannot. */
function versionOf(root) {
  const text = readFileSync(join(root, "infra", "node-version.ts"), "utf8");
  return /LTS_NODE_VERSION = "([\d.]+)"/.exec(text)[1];
}

/** The path of a current Node below .cache, fetched from npm's registry where it is missing; says so in a line. */
export function currentNode(root) {
  const version = versionOf(root);
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, ".cache", "node", version);
  const node = join(folder, "node_modules", name, "bin", "node");
  const isThere = existsSync(node);
  const how = isThere ? "" : " (fetching it once from npm's registry)";
  console.error(`Node ${process.versions.node} is too old: going on under Node ${version}${how}.`);
  if (isThere) return node;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  try {
    execFileSync(npm, ["install", "--prefix", draft, ...quiet, `${name}@${version}`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch {
    rmSync(draft, { recursive: true, force: true });
    console.error(`Node ${version} cannot be fetched: install Node 22.18 or newer.`);
    process.exit(1);
  }
  try {
    renameSync(draft, folder);
  } catch {
    // Another command has fetched it in the meantime.
    rmSync(draft, { recursive: true, force: true });
  }
  return node;
}
