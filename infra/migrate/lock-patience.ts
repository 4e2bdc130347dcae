import { setTimeout as pause } from "node:timers/promises";
import type { QueryRunner } from "typeorm";
import { constraintOf } from "../../services/platform/db/database-fault.ts";
import { AppError } from "../../services/platform/errors.ts";

/**
 * Whoever asks for a table behind a waiting migration waits as long as it does, so this is less than what an HTTP
 * service waits for a lock.
 */
export const LOCK_WAIT_MS = 1_000;
/** The requests of the meantime are answered before the next try. */
const PAUSE_MS = 2_000;

const LOCK_NOT_AVAILABLE = "55P03";

export interface LockPatience {
  /** After that much time without the lock it gives up. */
  readonly patienceMs: number;
  /** Called with the reason each time that it waits. */
  readonly log: (line: string) => void;
}

/**
 * Repeats work that found a table in use, as often as it takes: each try holds up others for a second at most, and
 * begins where the last one was rolled back.
 * @throws `database_unavailable` where the table is still in use when its patience ends, naming the oldest transaction
 */
export async function withLockPatience<T>(
  runner: QueryRunner,
  { patienceMs, log }: LockPatience,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (constraintOf(error)?.state !== LOCK_NOT_AVAILABLE) throw error;
      const holder = await oldestTransaction(runner);
      if (performance.now() > deadline) {
        const detail = `The database cannot be migrated: ${holder}. End it and migrate again; what was done is kept.`;
        throw new AppError("database_unavailable", detail, { retryable: true, cause: error });
      }
      log(`the migration waits: ${holder}; trying again in ${PAUSE_MS / 1_000} s`);
      await pause(PAUSE_MS);
    }
  }
}

interface OpenTransaction {
  readonly pid: number;
  readonly name: string;
  readonly seconds: number;
}

/** What most likely has the lock, in words. */
async function oldestTransaction(runner: QueryRunner): Promise<string> {
  const text = `select pid, coalesce(nullif(application_name, ''), usename, backend_type) as name,
      extract(epoch from clock_timestamp() - xact_start)::integer as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`;
  const [oldest] = (await runner.query(text)) as OpenTransaction[];
  if (oldest === undefined) return "a table was in use";
  const { pid, name, seconds } = oldest;
  return `a table is in use; the oldest transaction is that of ${name} (process ${pid}), open for ${seconds} s`;
}
