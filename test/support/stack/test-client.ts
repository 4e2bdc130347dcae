import pg from "pg";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** A new database connection, ended after the tests. */
export async function connectClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  endAfterTests(() => client.end());
  return client;
}
