import { AppError } from "../../services/platform/errors.ts";
import { readRolePasswords } from "../passwords-config.ts";
import { admitLogins, giveRegistryItsDatabase, REGISTRY_ROLE } from "./login-roles.ts";
import { migrate } from "./migrate.ts";

/** Migrates, then lets the roles log in whose passwords the environment has. */
async function run(databaseUrl: string): Promise<void> {
  const passwords = readRolePasswords(process.env);
  await migrate(databaseUrl);
  await admitLogins(databaseUrl, passwords);
  if (passwords[REGISTRY_ROLE] !== undefined) await giveRegistryItsDatabase(databaseUrl);
  console.log("The database is up to date.");
  const names = Object.keys(passwords);
  if (names.length > 0) console.log(`Roles that may log in: ${names.join(", ")}.`);
}

const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set: npm run migrate needs the database to migrate.");
  process.exitCode = 1;
} else {
  await run(databaseUrl).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
