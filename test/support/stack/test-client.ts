import pg from "pg";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** A connection of a test's own, ended after the tests. */
export async function connectClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  endAfterTests(() => client.end());
  return client;
}
