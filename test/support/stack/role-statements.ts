import pg from "pg";
import type { ServiceRole } from "../../../services/messages/bus/topic-rights.ts";
import { connectionSettings } from "../../../services/platform/db/pool.ts";

/** The SQLSTATE of what a role may not do. */
export const REFUSED = "42501";
/** The month of the newest partitions, as in their names. */
export const MONTH = new Date().toISOString().slice(0, 7).replace("-", "");
export const ID = "00000000-0000-7000-8000-000000000000";
export const STORE = `select events.store('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`;
export const SPEAKS = [
  `insert into messaging.outbox (message_id, topic, shard) values ('${ID}', 'topic', 0)`,
] as const;

export interface RoleAt {
  readonly url: string;
  readonly role: ServiceRole;
}

/** The result of each statement in its own rolled-back transaction: "done" or the SQLSTATE. */
export async function outcomes(
  { url, role }: RoleAt,
  statements: readonly string[],
): Promise<string[]> {
  const client = new pg.Client(connectionSettings({ url, service: "test", role }));
  await client.connect();
  try {
    const found: string[] = [];
    for (const statement of statements) {
      await client.query("begin");
      const outcome = await client.query(statement).then(() => "done", codeOf);
      found.push(`${statement}: ${outcome}`);
      await client.query("rollback");
    }
    return found;
  } finally {
    await client.end();
  }
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : String(error);
}

/** The same outcome for every statement. */
export function all(statements: readonly string[], outcome: string): string[] {
  return statements.map((statement) => `${statement}: ${outcome}`);
}
