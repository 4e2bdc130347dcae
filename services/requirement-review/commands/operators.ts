import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { z } from "zod";
import { ACCOUNT_ENTITIES } from "../../domain/account/account-entities.ts";
import { systemClock } from "../../platform/clock.ts";
import { createDataSource } from "../../platform/db/data-source.ts";
import { AppError } from "../../platform/errors.ts";
import { createLogger } from "../../platform/logger.ts";
import { operatorCommands } from "./manage-operators.ts";
import type { OperatorCommands } from "./manage-operators.ts";

const credentials = z.object({ database_url: z.string().min(1) });

/** DATABASE_URL, or the database that `npm start` runs. */
async function findDatabaseUrl(): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined && given !== "") return given;
  const path = join(process.env["DATA_DIR"] ?? ".data", "credentials.json");
  try {
    return credentials.parse(JSON.parse(await readFile(path, "utf8"))).database_url;
  } catch (cause) {
    const told = `DATABASE_URL is not set and ${path} names no database: is npm start running?`;
    throw new AppError("invalid_config", told, { cause });
  }
}

async function run(act: (commands: OperatorCommands) => Promise<string[]>): Promise<void> {
  const { dataSource, pool } = await createDataSource({
    url: await findDatabaseUrl(),
    service: "operators",
    size: 1,
    log: createLogger("operators", "error"),
    entities: ACCOUNT_ENTITIES,
  });
  try {
    const lines = await act(operatorCommands({ dataSource, clock: systemClock }));
    for (const line of lines) console.log(line);
  } finally {
    await pool.end();
  }
}

const program = new Command("operators").description("The desk's operators and their tokens");
program
  .command("add <name>")
  .description("add a named person")
  .action((name: string) => run((commands) => commands.add(name)));
program
  .command("token <name>")
  .description("issue a token, shown once")
  .action((name: string) => run((commands) => commands.token(name)));
program
  .command("revoke <token>")
  .description("revoke a token, named by its prefix (14 characters) or its id")
  .action((token: string) => run((commands) => commands.revoke(token)));
program
  .command("list")
  .description("operators and their tokens")
  .action(() => run((commands) => commands.list()));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
