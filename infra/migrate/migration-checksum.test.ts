import { describe, expect, it } from "@jest/globals";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { NEWEST_MIGRATION } from "../../services/messages/bus/bus-readiness.ts";
import { checksumOf } from "./migration-history.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";

function running(...statements: readonly string[]): MigrationInterface {
  return {
    up: async (runner: QueryRunner) => {
      for (const statement of statements) await runner.query(statement);
    },
    down: () => Promise.resolve(),
  };
}

const CREATE = "create table a (id uuid);";
const INDEX = "create index b on a (id);";

describe("the checksum of a migration", () => {
  it("changes with the SQL that it runs", async () => {
    const before = await checksumOf(running(CREATE, INDEX));
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await checksumOf(running(CREATE))).not.toBe(before);
    expect(await checksumOf(running(INDEX, CREATE))).not.toBe(before);
    expect(await checksumOf(running(CREATE, INDEX.replace("index", "unique index")))).not.toBe(
      before,
    );
  });

  it("is the same for other comments, white space and division into statements", async () => {
    const before = await checksumOf(running(CREATE, INDEX));
    const rewritten = `\n-- The table.\n${CREATE}\n\n  -- And its index.\n  create index b\n    on a (id);\n`;
    expect(await checksumOf(running(rewritten))).toBe(before);
  });

  it("is found of every migration without a database", async () => {
    const sums = await Promise.all(ALL_MIGRATIONS.map((Migration) => checksumOf(new Migration())));
    expect(new Set(sums).size).toBe(ALL_MIGRATIONS.length);
  });
});

describe("the newest migration", () => {
  it("is the one that the services know as such", () => {
    const numbers = ALL_MIGRATIONS.map((Migration) => Number(new Migration().name.slice(-4)));
    expect(Math.max(...numbers)).toBe(NEWEST_MIGRATION);
  });
});
