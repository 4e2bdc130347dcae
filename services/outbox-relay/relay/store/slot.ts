import type { Pool } from "pg";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { replicationClient } from "../../../platform/db/replication.ts";
import { deferAll } from "./deferral-notes.ts";

/** Whoever makes a slot; the second key is 0. */
const SLOT_LOCK = 7_202_612;

export interface Slot {
  readonly name: string;
  /** Missing: never made, or dropped. Lost: Postgres no longer keeps what it stands for. */
  readonly state: "missing" | "lost" | "read" | "free";
}

const READ = `select 'porting_outbox_' || d.oid::text as name,
    case when s.slot_name is null then 'missing' when s.wal_status = 'lost' then 'lost'
      when s.active then 'read' else 'free' end as state
  from pg_database d left join pg_replication_slots s on s.slot_name = 'porting_outbox_' || d.oid::text
  where d.datname = current_database()`;

/** The slot of this database; its name is that of no other on the server. */
export async function readSlot(db: Queryable): Promise<Slot> {
  const [slot] = await queryRows<Slot>(db, { name: "outbox-slot", text: READ });
  return slot ?? { name: "porting_outbox", state: "missing" };
}

/**
 * Makes the slot where it is missing, or lost; what it may have missed is noted before. Postgres waits for every transaction
 * that runs on the server. The login may replicate; `isGone`: its reader was notified that it is lost.
 */
export async function makeSlot(
  pool: Pool,
  login: { readonly url: string; readonly service: string },
  signal: AbortSignal,
  isGone: boolean,
): Promise<void> {
  const client = replicationClient(login);
  const cut = (): void => {
    client.connection.stream.destroy();
  };
  client.on("error", () => undefined);
  signal.addEventListener("abort", cut);
  try {
    await client.connect();
    const taken = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${SLOT_LOCK}, 0) as taken`,
    );
    if (taken.rows[0]?.taken !== true) return;
    const { name, state } = await readSlot(pool);
    if (state === "read" || (state === "free" && !isGone)) return;
    await deferAll(pool);
    if (state !== "missing") await client.query(`select pg_drop_replication_slot('${name}')`);
    await client.query(`select pg_create_logical_replication_slot('${name}', 'pgoutput')`);
  } finally {
    signal.removeEventListener("abort", cut);
    await client.end().catch(() => undefined);
  }
}
