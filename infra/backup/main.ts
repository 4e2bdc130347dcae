import { Command } from "commander";
import { systemClock } from "../../services/platform/clock.ts";
import {
  findBusAccess,
  findDatabaseUrl,
  runCommandLine,
} from "../../services/platform/command-line.ts";
import { AppError } from "../../services/platform/errors.ts";
import { migrate } from "../migrate/migrate.ts";
import { baseBackup } from "./base-backup.ts";
import { keptFilesLines, restore } from "./restore.ts";
import { linesOf, reconcileDatabase } from "./reconcile.ts";

const NAME = "backup";
const RECOVERY_TIMEOUT_MS = 24 * 3_600_000;

async function takeBase({ to }: { readonly to: string }): Promise<void> {
  const databaseUrl = await findDatabaseUrl(process.env);
  const { folder, bytes, consistentFrom } = await baseBackup(databaseUrl, to, systemClock.now());
  console.log(
    `${folder}: ${Math.ceil(bytes / 1_000_000)} MB, consistent from ${consistentFrom} on`,
  );
}

interface RestoreArguments {
  readonly base: string;
  readonly wal: string;
  readonly into: string;
  readonly until?: string;
}

async function restoreData({ base, wal, into, until }: RestoreArguments): Promise<void> {
  const instant = until === undefined ? null : new Date(until);
  if (instant !== null && Number.isNaN(instant.getTime())) {
    throw new AppError("invalid_config", "--until is not an instant such as 2026-11-20T10:30:00Z.");
  }
  const options = { base, walArchive: wal, dataDir: into, until: instant };
  const { data } = await restore({ ...options, timeoutMs: RECOVERY_TIMEOUT_MS });
  console.log(`${data} is restored: the next npm start reconciles it with the topics.`);
  for (const line of keptFilesLines()) console.log(line);
}

async function reconcileData(): Promise<void> {
  const databaseUrl = await findDatabaseUrl(process.env);
  const bus = await findBusAccess(process.env);
  const topicPrefix = process.env["TOPIC_PREFIX"] ?? "";
  // The backup may be older than this version's migrations.
  await migrate(databaseUrl);
  const reconciled = await reconcileDatabase({ databaseUrl, bus }, topicPrefix);
  for (const line of linesOf(reconciled)) console.log(line);
}

const program = new Command(NAME).description("Backs up and restores the database");
program
  .command("base")
  .description("copy the data folder of the running server")
  .requiredOption("--to <folder>", "the folder in which to create base-<time>")
  .action(takeBase);
program
  .command("restore")
  .description("create a data folder from a base backup and the archived log")
  .requiredOption("--base <folder>", "the base backup")
  .requiredOption("--wal <folder>", "the archive of the write-ahead log")
  .requiredOption("--into <folder>", "the new DATA_DIR, without a database")
  .option("--until <instant>", "the last instant to restore; default: everything")
  .action(restoreData);
program
  .command("reconcile")
  .description("reconcile the topics with a restored database, while the services are stopped")
  .action(reconcileData);

await runCommandLine(program);
