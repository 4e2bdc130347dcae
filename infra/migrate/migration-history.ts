import { createHash } from "node:crypto";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { AppError } from "../../services/platform/errors.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";

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

interface Applied {
  readonly name: string;
  /** Null where the run that made it was killed before it was kept. */
  readonly checksum: string | null;
}

/**
 * Refuses a database with a migration that this version does not know, or ran with another text.
 * @throws `invalid_state`, naming the migration
 */
export async function requireKnownHistory(runner: QueryRunner): Promise<void> {
  const known = await knownChecksums();
  for (const { name, checksum } of await readApplied(runner)) {
    if (isBeforeBase(name)) continue;
    const expected = known.get(name);
    if (expected === undefined) {
      throw new AppError(
        "invalid_state",
        `The database was migrated by a later version: it has the migration ${name}, which this version does not know. ` +
          "Run that version or a later one; nothing was changed.",
      );
    }
    if (checksum !== null && checksum !== expected) {
      throw new AppError(
        "invalid_state",
        `The migration ${name} was changed after this database ran it: its checksum was ${checksum} and is now ` +
          `${expected}. Restore its text, and make the change by a new migration; nothing was changed.`,
      );
    }
  }
}

/** Forgets the checksums of migrations that were undone: they may run again with another text. */
export async function forgetUndone(runner: QueryRunner): Promise<void> {
  if (!(await exists(runner, "messaging.migration_checksums"))) return;
  await runner.query(`delete from messaging.migration_checksums c
    where not exists (select from public.migrations m where m.name = c.name)`);
}

/** Keeps the checksums of the migrations that have none yet. */
export async function recordChecksums(runner: QueryRunner): Promise<void> {
  const known = await knownChecksums();
  await runner.query(
    `insert into messaging.migration_checksums (name, checksum)
      select u.name, u.checksum from unnest($1::text[], $2::text[]) u (name, checksum)
      where exists (select from public.migrations m where m.name = u.name)
      on conflict (name) do nothing`,
    [[...known.keys()], [...known.values()]],
  );
}

const LAST_BEFORE_BASE = 121;

/** Whether the base has taken the place of the migration with this name, which ends in its number. */
export function isBeforeBase(name: string): boolean {
  return Number(name.slice(-4)) <= LAST_BEFORE_BASE;
}

/** The names of the migrations that the database has run, in that order. */
export async function readHistory(runner: QueryRunner): Promise<readonly string[]> {
  return (await readApplied(runner)).map(({ name }) => name);
}

/** Every migration of this version, with its checksum. */
async function knownChecksums(): Promise<ReadonlyMap<string, string>> {
  const migrations = ALL_MIGRATIONS.map((Migration) => new Migration());
  return new Map(
    await Promise.all(migrations.map(async (one) => [one.name, await checksumOf(one)] as const)),
  );
}

async function readApplied(runner: QueryRunner): Promise<readonly Applied[]> {
  if (!(await exists(runner, "public.migrations"))) return [];
  const hasChecksums = await exists(runner, "messaging.migration_checksums");
  const text = hasChecksums
    ? `select m.name, c.checksum from public.migrations m
        left join messaging.migration_checksums c on c.name = m.name order by m.id`
    : "select name, null as checksum from public.migrations order by id";
  return (await runner.query(text)) as Applied[];
}

async function exists(runner: QueryRunner, table: string): Promise<boolean> {
  const found = (await runner.query("select to_regclass($1) is not null as exists", [table])) as {
    readonly exists: boolean;
  }[];
  return found[0]?.exists === true;
}
