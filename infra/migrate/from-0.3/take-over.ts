import type { QueryRunner } from "typeorm";
import { AppError } from "../../../services/platform/errors.ts";
import { isBeforeBase, readHistory } from "../migration-history.ts";
import { BASE } from "../migrations/all-migrations.ts";
import { DROP_UNUSED, END, FILL_REASONS, STEPS } from "./steps.ts";

/** With it a database is one of 0.3.0. */
const OF_0_3 = "UnsentMessagesFound1700000000097";

/**
 * Whether a database with these migrations is one of 0.3, or of what came between it and the base.
 * @throws `invalid_state` for an older one
 */
export function isOf03(history: readonly string[]): boolean {
  const before = history.filter(isBeforeBase);
  if (before.length === 0) return false;
  if (before.includes(OF_0_3)) return true;
  throw new AppError(
    "invalid_state",
    `This database is of a version before 0.3.0 (its last migration is ${before.at(-1)}): upgrade it to 0.3.0, and then to this version. Nothing was changed.`,
  );
}

/**
 * Brings a database of 0.3 to what the base creates, and gives it the base's history. Each step is one transaction, and
 * is not repeated: killed, the next run goes on.
 * @throws `invalid_state` for an older database
 */
export async function takeOver(runner: QueryRunner): Promise<void> {
  const history = await readHistory(runner);
  if (!isOf03(history)) return;
  for (const { name, sql } of STEPS) {
    if (history.includes(name)) continue;
    await inTransaction(runner, async () => {
      await runner.query(sql);
      await noteAsRun(runner, [name]);
    });
  }
  await runner.query(DROP_UNUSED);
  await runner.query(FILL_REASONS);
  await inTransaction(runner, async () => {
    await runner.query(END);
    await runner.query("delete from public.migrations where name = any ($1::text[])", [
      (await readHistory(runner)).filter(isBeforeBase),
    ]);
    await noteAsRun(
      runner,
      BASE.map((Migration) => new Migration().name),
    );
  });
}

async function noteAsRun(runner: QueryRunner, names: readonly string[]): Promise<void> {
  await runner.query(
    `insert into public.migrations (timestamp, name)
      select right(u.name, 13)::bigint, u.name from unnest($1::text[]) with ordinality u (name, nth) order by u.nth`,
    [names],
  );
}

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
