import type { Pool } from "pg";
import { z } from "zod";

const counted = z.object({ bytes: z.coerce.number() });

/** The size of the pool's database once dead rows at the ends of its tables are given back. */
export async function storedBytes(pool: Pool): Promise<number> {
  await pool.query("vacuum");
  const { rows } = await pool.query("select pg_database_size(current_database()) as bytes");
  return counted.parse(rows[0]).bytes;
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
