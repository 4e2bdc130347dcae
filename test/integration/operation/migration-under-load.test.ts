/** @tier all */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeEach, expect, it } from "@jest/globals";
import type pg from "pg";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ALL_MIGRATIONS } from "../../../infra/migrate/migrations/all-migrations.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { REQUEST_LOCK_TIMEOUT_MS } from "../../../services/platform/db/pool.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { outputOf } from "../../support/programs/program-output.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import type { TestDatabase } from "../../support/stack/test-stack.ts";
import { createDatabaseOf03 } from "../../support/upgrade/database-of-0.3.ts";

let database: TestDatabase;
let reader: pg.Client;

/** A database of 0.3, with a transaction in it that has read a table which the upgrade changes. */
beforeEach(async () => {
  database = await createDatabaseOf03();
  reader = await connectClient(`${database.url}?application_name=report`);
  await reader.query("begin");
  await reader.query("select from orders.porting_orders");
});

async function namesIn(table: string): Promise<readonly string[]> {
  const { rows } = await reader.query<{ name: string }>(`select name from ${table} order by name`);
  return rows.map(({ name }) => name);
}

const namesOf = (migrations: typeof ALL_MIGRATIONS): readonly string[] =>
  migrations.map((Migration) => new Migration().name).sort();

it("a migration that waits for a long reader fails no request, and is resumed after kill -9", async () => {
  const child = spawn(process.execPath, ["infra/run.mjs", "infra/migrate/main.ts"], {
    cwd: projectRoot,
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  const output = outputOf(child);
  const api = await connectClient(database.url);
  await api.query(`set lock_timeout = ${REQUEST_LOCK_TIMEOUT_MS}`);
  let answers = 0;
  const tries = () => output().split("the migration waits").length - 1;
  await eventually(async () => {
    await api.query("select from orders.porting_orders limit 1");
    answers += 1;
    expect(tries()).toBeGreaterThanOrEqual(2);
  });
  expect(answers).toBeGreaterThan(2);
  expect(output()).toMatch(/the oldest transaction is that of report \(process \d+\), open for/);

  const died = once(child, "exit");
  child.kill("SIGKILL");
  await died;
  await reader.query("rollback");
  await migrate(database.url);

  expect(await namesIn("public.migrations")).toEqual(namesOf(ALL_MIGRATIONS));
  expect(await namesIn("messaging.migration_checksums")).toEqual(namesOf(ALL_MIGRATIONS));
  await reader.query("select created_numbers from orders.porting_orders");
});

it("a migration gives up where a table stays in use, names who uses it, and keeps what was done", async () => {
  await expect(migrate(database.url, { patienceMs: 0 })).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringContaining("the oldest transaction is that of report"),
  });
  await reader.query("rollback");
  const names = await namesIn("public.migrations");
  expect(names).toContain("ComparableUrls1700000000113");
  expect(names).not.toContain("GrowthBounds1700000000118");
});
