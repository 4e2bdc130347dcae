import { databaseUrl, withConnection } from "../../../infra/local-stack/postgres.ts";

const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and usename is not null and application_name <> ''`;

/** Runs `during` while the database accepts no connections; ends the services' open ones first. */
export async function withoutDatabase<T>(url: string, during: () => Promise<T>): Promise<T> {
  const name = new URL(url).pathname.slice(1);
  return withConnection(databaseUrl(url, "postgres"), async (client) => {
    await client.query(`alter database ${name} allow_connections false`);
    try {
      await client.query(END, [name]);
      return await during();
    } finally {
      await client.query(`alter database ${name} allow_connections true`);
    }
  });
}
