import type { Pool } from "pg";
import { z } from "zod";
import type { Figure } from "./figure.ts";
import { countTransactions } from "./webhooks/count-transactions.ts";

/** What a database has taken so far; sizes in bytes, with indexes, TOAST and dead rows. */
export interface DatabaseUse {
  readonly transactions: number;
  /** Of the whole server. */
  readonly walBytes: number;
  /** By schema. */
  readonly storedBytes: ReadonlyMap<string, number>;
  readonly events: number;
  readonly deliveries: number;
  readonly messages: number;
  /** Of the messages' values. */
  readonly messageBytes: number;
}

const COUNTED = `select pg_current_wal_insert_lsn() - '0/0' as wal,
  (select count(*) from events.log) as events,
  (select count(*) from webhooks.deliveries) as deliveries,
  (select count(*) from messaging.outbox) as messages,
  (select coalesce(sum(octet_length(value)), 0) from messaging.outbox) as message_bytes`;

const STORED = `select n.nspname as schema, sum(pg_total_relation_size(c.oid)) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema$'
  group by n.nspname`;

const counted = z.object({
  wal: z.coerce.number(),
  events: z.coerce.number(),
  deliveries: z.coerce.number(),
  messages: z.coerce.number(),
  message_bytes: z.coerce.number(),
});

const stored = z.array(z.object({ schema: z.string(), bytes: z.coerce.number() }));

export async function readDatabaseUse(pool: Pool): Promise<DatabaseUse> {
  const transactions = await countTransactions(pool);
  const { rows } = await pool.query(COUNTED);
  const { wal, message_bytes, ...numbers } = counted.parse(rows[0]);
  const sizes = stored.parse((await pool.query(STORED)).rows);
  const storedBytes = new Map(sizes.map(({ schema, bytes }) => [schema, bytes]));
  return { transactions, walBytes: wal, storedBytes, messageBytes: message_bytes, ...numbers };
}

/** What `orders` whole orders took between two looks, per order. */
export function useFigures(before: DatabaseUse, after: DatabaseUse, orders: number): Figure[] {
  const figure = (name: string, unit: string, used: number): Figure => ({
    name,
    measured: used / orders,
    unit,
    target: { kind: "reported" },
  });
  const grown = [...after.storedBytes]
    .map(([schema, bytes]) => [schema, bytes - (before.storedBytes.get(schema) ?? 0)] as const)
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, a], [, b]) => b - a);
  const all = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
  const count = (name: "events" | "deliveries" | "messages" | "transactions"): Figure =>
    figure(`  ${name}`, "", after[name] - before[name]);
  return [
    { ...count("transactions"), name: "transactions per whole order" },
    count("events"),
    count("deliveries"),
    count("messages"),
    figure("  values of the messages", "kB", (after.messageBytes - before.messageBytes) / 1e3),
    figure("  WAL", "kB", (after.walBytes - before.walBytes) / 1e3),
    figure("stored per whole order, with indexes and dead rows", "kB", all / 1e3),
    ...grown.map(([schema, bytes]) => figure(`  schema ${schema}`, "kB", bytes / 1e3)),
  ];
}
