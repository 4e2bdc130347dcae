import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { databaseUrl, withConnection } from "../../../infra/local-stack/postgres.ts";
import { eventually } from "../eventually.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

const stackFile = z.object({
  data_dir: z.string(),
  database_url: z.string(),
  kafka_brokers: z.string(),
  schema_registry_url: z.string(),
  template_database: z.string(),
  /** Where the run's shared products are asked for. */
  products_url: z.string(),
});

/** The embedded stack that all tests of one run share. */
export type TestStack = z.infer<typeof stackFile>;

/** The addresses of the run's stack. Never kill its parts: use `startOwnStack` for that. */
export function testStack(): TestStack {
  const path = process.env["STACK_FILE"];
  if (path === undefined)
    throw new TypeError("STACK_FILE is not set: the global setup has not run");
  return stackFile.parse(JSON.parse(readFileSync(path, "utf8")));
}

export interface TestDatabase {
  readonly url: string;
}

/** A new, migrated, empty database for one test file; dropped after its tests. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom(testStack().template_database);
}

/** A new database without tables; dropped after the tests. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom("template1");
}

/** The server drops a database's slots with it, but not one that is still read: its reader may have been killed just now. */
const END_READERS =
  "select pg_terminate_backend(active_pid) from pg_replication_slots where database = $1";
const DROP_MS = 10_000;

async function dropDatabase(admin: string, name: string): Promise<void> {
  await withConnection(admin, (client) =>
    eventually(async () => {
      await client.query(END_READERS, [name]);
      await client.query(`drop database if exists ${name} with (force)`);
    }, DROP_MS),
  );
}

async function createDatabaseFrom(template: string): Promise<TestDatabase> {
  const stack = testStack();
  const admin = databaseUrl(stack.database_url, "postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copied as files: the pages of the template would go through the log, which the relays of all tests read.
  await withConnection(admin, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  endAfterTests(() => dropDatabase(admin, name));
  return { url: databaseUrl(stack.database_url, name) };
}

/** A `TOPIC_PREFIX` that no other test uses. */
export function uniqueTopicPrefix(): string {
  return `t${randomBytes(6).toString("hex")}.`;
}
