import type { Pool } from "pg";
import { z } from "zod";

const counted = z.object({ bytes: z.coerce.number() });

/** The size of the pool's database once dead rows at the ends of its tables are given back. */
export async function storedBytes(pool: Pool): Promise<number> {
  await pool.query("vacuum");
  const { rows } = await pool.query("select pg_database_size(current_database()) as bytes");
  return counted.parse(rows[0]).bytes;
}
