import { beforeEach, describe, expect, it } from "@jest/globals";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ALL_MIGRATIONS } from "../../../infra/migrate/migrations/all-migrations.ts";
import { busChecks } from "../../../services/messages/bus/bus-readiness.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { createReadiness } from "../../../services/platform/health.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const LATER = "WhatComesLater1700000009998";
const log = createLogger("test", "silent");

let database: TestDatabase;
let owner: DividedPool;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = openPoolAt(database.url);
});

async function keptChecksums(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; checksum: string }>(
    "select name, checksum from messaging.migration_checksums",
  );
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

/** What a migration of a later version leaves in the database. */
async function migrateLater(): Promise<void> {
  await owner.query("insert into public.migrations (timestamp, name) values (1, $1)", [LATER]);
  await owner.query("insert into messaging.migration_checksums values ($1, 'sum')", [LATER]);
}

function readinessOf(role: string) {
  const pool = openPoolAt(database.url, { role, size: 1 });
  return createReadiness(busChecks({ pool }), { log, metrics: createMetrics("test") });
}

describe("migrate", () => {
  it("keeps the checksum of every migration, also where a run was killed before it did", async () => {
    const kept = await keptChecksums();
    const names = ALL_MIGRATIONS.map((Migration) => new Migration().name);
    expect(Object.keys(kept).sort()).toEqual(names.sort());
    await owner.query("truncate messaging.migration_checksums");
    await migrate(database.url);
    expect(await keptChecksums()).toEqual(kept);
  });

  it("refuses the schema of a later version, and names the migration", async () => {
    await migrateLater();
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`later version: it has the migration ${LATER}`),
    });
  });

  it("refuses a migration whose text was changed after it ran, and names it", async () => {
    const name = "Accounts1700000000202";
    const change = "update messaging.migration_checksums set checksum = $2 where name = $1";
    const kept = (await keptChecksums())[name];
    await owner.query(change, [name, "of another text"]);
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`The migration ${name} was changed`),
    });
    await owner.query(change, [name, kept]);
    await migrate(database.url);
  });

  it("runs a migration that was undone again, whatever its text was", async () => {
    const name = "CopiesOfTheReleaseBefore1700000000209";
    await owner.query("delete from public.migrations where name = $1", [name]);
    await owner.query("update messaging.migration_checksums set checksum = 'old' where name = $1", [
      name,
    ]);
    await migrate(database.url);
    await migrate(database.url);
    expect((await keptChecksums())[name]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("a service", () => {
  it("that starts on the schema of a later version is not ready", async () => {
    await migrateLater();
    expect(await readinessOf("porting_event_log")()).toEqual(["schema"]);
  });

  it("that is ready stays so while a later version migrates", async () => {
    const readiness = readinessOf("porting_api");
    expect(await readiness()).toEqual([]);
    await migrateLater();
    expect(await readiness()).toEqual([]);
  });
});
