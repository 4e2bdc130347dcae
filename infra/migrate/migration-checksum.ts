import { createHash } from "node:crypto";
import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The SHA-256 of the SQL that a migration runs, as hex. Lines that are only a comment, white space and the division
 * into statements do not count: a database is the same without them (docs/adr/0034).
 */
export async function checksumOf(migration: MigrationInterface): Promise<string> {
  const hash = createHash("sha256");
  await migration.up(
    recorder((sql, parameters) => {
      hash.update(`${essenceOf(sql)} `);
      if (parameters.length > 0) hash.update(JSON.stringify(parameters));
    }),
  );
  return hash.digest("hex");
}

function essenceOf(sql: string): string {
  const lines = sql.split("\n").filter((line) => !line.trimStart().startsWith("--"));
  return lines.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Runs nothing. A migration that reads the database's answer, or calls anything but query, fails with it. */
function recorder(record: (sql: string, parameters: readonly unknown[]) => void): QueryRunner {
  const runner = {
    query: (sql: string, parameters: readonly unknown[] = []): Promise<void> => {
      record(sql, parameters);
      return Promise.resolve();
    },
  };
  return runner as unknown as QueryRunner;
}
