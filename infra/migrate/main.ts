import { migrate } from "./migrate.ts";

const databaseUrl = process.env["DATABASE_URL"];
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set: npm run migrate needs the database to migrate.");
  process.exitCode = 1;
} else {
  await migrate(databaseUrl);
  console.log("The database is up to date.");
}
