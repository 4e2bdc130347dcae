import pg from "pg";
import { driverUrl } from "../../services/platform/db/pool.ts";

/** A busy machine takes seconds to begin a session. */
const CONNECT_MS = 10_000;

/** Runs `work` on a connection of its own. */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: driverUrl(url),
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Creates a database where it is missing; concurrent calls are allowed. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  await withConnection(serverUrl, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rows.length > 0) return;
    await client
      .query(`create database ${client.escapeIdentifier(name)}`)
      .catch((error: unknown) => {
        const duplicate =
          error instanceof pg.DatabaseError && ["42P04", "23505"].includes(error.code ?? "");
        if (!duplicate) throw error;
      });
  });
}
