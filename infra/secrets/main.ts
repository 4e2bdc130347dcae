import { Command } from "commander";
import { findDatabaseUrl, runCommandLine } from "../../services/platform/command-line.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { findSecretKeys, isDone, linesOf, rotateSecrets } from "./rotate-secrets.ts";

const NAME = "secrets";
/** A pass reads a whole table. */
const STATEMENT_TIMEOUT_MS = 600_000;

async function rotate(): Promise<void> {
  const keys = await findSecretKeys(process.env);
  const url = await findDatabaseUrl(process.env);
  const log = createLogger(NAME, "error");
  const pool = createPool({
    url,
    service: NAME,
    size: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    log,
  });
  try {
    const rotated = await rotateSecrets(pool, keys);
    for (const line of linesOf(rotated)) console.log(line);
    if (!isDone(rotated.places)) process.exitCode = 1;
  } finally {
    await pool.end();
  }
}

const program = new Command(NAME).description("Manages the keys of stored secrets");
program
  .command("rotate")
  .description("re-wrap every stored secret under the first key of SECRETS_KEY")
  .action(rotate);

await runCommandLine(program);
