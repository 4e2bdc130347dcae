import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { z } from "zod";
import { cpuSecondsOf } from "../process-use.ts";

const KIB_PER_MIB = 1_024;

/** Names by pid. */
type Counted = ReadonlyMap<number, string>;

export interface Usage {
  /** CPU seconds, by the counted processes' names. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly elapsedSeconds: number;
}

/** Starts measuring; the returned function gives the usage since. */
export function startMeter(counted: Counted): () => Usage {
  const pids = new Set(counted.keys());
  const read = () => ({ used: cpuSecondsOf(pids), at: performance.now() });
  const before = read();
  return () => {
    const after = read();
    const spent = (pid: number): number => (after.used.get(pid) ?? 0) - (before.used.get(pid) ?? 0);
    return {
      seconds: new Map([...counted].map(([pid, name]) => [name, spent(pid)])),
      elapsedSeconds: (after.at - before.at) / 1_000,
    };
  };
}

/** The sum over all processes. */
export function totalOf(used: ReadonlyMap<string, number>): number {
  return [...used.values()].reduce((sum, one) => sum + one, 0);
}

/** MiB of the processes with their descendants, by the processes' names; shared pages are counted once (PSS). */
export function memoryOf(counted: Counted): Map<string, number> {
  return sumOf(counted, shareOf);
}

/** Open files and sockets of the processes with their descendants, by the processes' names. */
export function descriptorsOf(counted: Counted): Map<string, number> {
  return sumOf(counted, openFilesOf);
}

function sumOf(counted: Counted, measure: (pid: number) => number): Map<string, number> {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry)) parents.set(Number(entry), parentOf(entry));
  }
  const nameOf = (pid: number | undefined): string | undefined =>
    pid === undefined ? undefined : (counted.get(pid) ?? nameOf(parents.get(pid)));
  const used = new Map([...counted.values()].map((name) => [name, 0]));
  for (const pid of parents.keys()) {
    const name = nameOf(pid);
    if (name !== undefined) used.set(name, (used.get(name) ?? 0) + measure(pid));
  }
  return used;
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

function shareOf(pid: number): number {
  const pss = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0;
  return Number(pss) / KIB_PER_MIB;
}

function openFilesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0; // The process has ended meanwhile.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The process has ended meanwhile.
  }
}

/** A backend reports its share at most once a second. */
const REPORTED_MS = 1_200;

const counted = z.object({ count: z.coerce.number() });

/** The transactions that the pool's database has ended so far. */
export async function countTransactions(pool: Pool): Promise<number> {
  await pause(REPORTED_MS);
  const { rows } = await pool.query(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
  );
  return counted.parse(rows[0]).count;
}

const measuredBytes = z.object({ bytes: z.coerce.number() });

/** The size of the pool's database once dead rows at the ends of its tables are given back. */
export async function storedBytes(pool: Pool): Promise<number> {
  await pool.query("vacuum");
  const { rows } = await pool.query("select pg_database_size(current_database()) as bytes");
  return measuredBytes.parse(rows[0]).bytes;
}

const bloat = z.object({
  bytes: z.coerce.number(),
  liveRows: z.coerce.number(),
  deadRows: z.coerce.number(),
});

export type Bloat = z.infer<typeof bloat>;

const BLOAT = `select pg_database_size(current_database()) as bytes,
    coalesce(sum(n_live_tup), 0) as "liveRows", coalesce(sum(n_dead_tup), 0) as "deadRows"
  from pg_stat_user_tables`;

/** What the pool's database takes as it is: autovacuum alone has given anything back. */
export async function readBloat(pool: Pool): Promise<Bloat> {
  const { rows } = await pool.query(BLOAT);
  return bloat.parse(rows[0]);
}

/** The clock that all processes of a machine share, in milliseconds. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
