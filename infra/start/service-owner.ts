import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ensureUser, giveFolder, isRoot, type ProcessOwner } from "../local-stack/process-owner.ts";
import { runCommand } from "../local-stack/run-command.ts";
import { projectRoot } from "../project-root.ts";

const USER = "porting";

/** Run as the user: exits with the reason where something is closed to it. */
const PROBE = `
const { accessSync, constants } = require("node:fs");
const { createServer } = require("node:net");
const { files, folders, host, ports } = JSON.parse(process.argv[1]);
process.on("uncaughtException", ({ message }) => { console.error(message); process.exit(1); });
for (const file of files) accessSync(file, constants.R_OK);
for (const folder of folders) accessSync(folder, constants.W_OK | constants.X_OK);
for (const port of ports) {
  const server = createServer().listen({ host, port }, () => server.close());
  server.on("error", (error) => { if (error.code === "EACCES") throw error; });
}`;

const FIND = `command -v "$1" > /dev/null || { echo "$1 cannot be found"; exit 1; }`;

export interface OwnerNeeds {
  /** Programs by name or path, files and folders that must be readable. */
  readonly files: readonly string[];
  /** Folders that must be writable; what root owns there is given to the user. */
  readonly folders: readonly string[];
  readonly host: string;
  readonly ports: readonly number[];
}

/**
 * The user for Kafka, the registry and the services where we are root: `porting`, created where it is missing. Null where
 * we are not root; also, with a line that says why, where that user cannot be created or cannot run everything.
 */
export async function serviceOwner(
  needs: OwnerNeeds,
  log: (line: string) => void,
): Promise<ProcessOwner | null> {
  if (!isRoot()) return null;
  const user = await ensureUser(USER);
  const why = user === null ? `the user ${USER} cannot be created` : await refusal(needs, user);
  if (why === null) return user;
  log(`Kafka, the registry and the services run as root: ${why}`);
  for (const folder of needs.folders) if (isOf(folder, user?.uid)) giveFolder(folder, null);
  return null;
}

/** Why the user cannot run everything; null where it can. */
async function refusal(needs: OwnerNeeds, user: ProcessOwner): Promise<string | null> {
  try {
    for (const folder of needs.folders) if (isOf(folder, 0)) giveFolder(folder, user);
    await probe(needs, user);
    return null;
  } catch (error) {
    const lines = error instanceof Error ? error.message.split("\n") : [];
    // The first line names the program, the last is what it printed.
    return lines.at(-1) ?? "no reason";
  }
}

/** A missing folder is root's, who would create it. */
function isOf(folder: string, uid: number | undefined): boolean {
  return (statSync(folder, { throwIfNoEntry: false })?.uid ?? 0) === uid;
}

async function probe(needs: OwnerNeeds, user: ProcessOwner): Promise<void> {
  for (const program of needs.files.filter((one) => !isAbsolute(one))) {
    await runCommand("/bin/sh", ["-c", FIND, "sh", program], user);
  }
  const files = [
    join(projectRoot, "services", "api", "main.ts"),
    join(projectRoot, "node_modules", "pg", "package.json"),
    ...needs.files.filter(isAbsolute),
  ];
  await runCommand(process.execPath, ["-e", PROBE, JSON.stringify({ ...needs, files })], user);
}
