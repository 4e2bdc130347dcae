import type { Pool } from "pg";
import { queryRows } from "../../../../services/platform/db/transaction.ts";
import type { Breach } from "../check-history.ts";

const SHOWN = 5;

export interface FeedRecord {
  readonly accountId: string;
  /** The committed event ids of each order, in sequence. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  readonly paged: readonly string[];
  readonly streamed: readonly string[];
}

/** Compares the log with the committed events, and the readers' events with the log. */
export async function checkFeed(
  pool: Pool,
  record: FeedRecord,
): Promise<Readonly<Record<string, readonly Breach[]>>> {
  const rows = await queryRows<{ id: string; seq: number }>(pool, {
    text: "select id, seq from events.log where account_id = $1 order by seq",
    values: [record.accountId],
  });
  const stored = rows.map(({ id }) => id);
  const committed = [...record.written.values()].flat();
  return {
    "the log has every committed event once": compareSets(committed, stored),
    "the feed is numbered without a gap": firstDifference(
      rows.map(({ seq }) => `${seq}`),
      stored.map((_, n) => String(n + 1)),
    ),
    "each order's events are in sequence": outOfOrder(record.written, stored),
    "the paging client has the whole feed": firstDifference(record.paged, stored),
    "the streaming client has the whole feed": firstDifference(record.streamed, stored),
  };
}

function compareSets(expected: readonly string[], found: readonly string[]): Breach[] {
  const [wanted, had] = [new Set(expected), new Set(found)];
  const missing = expected.filter((id) => !had.has(id)).map((id) => `missing: ${id}`);
  const foreign = found.filter((id) => !wanted.has(id)).map((id) => `never committed: ${id}`);
  const repeats = found.length === had.size ? [] : [`${found.length - had.size} repeats`];
  return [...missing.slice(0, SHOWN), ...foreign.slice(0, SHOWN), ...repeats];
}

function firstDifference(found: readonly string[], expected: readonly string[]): Breach[] {
  const at = expected.findIndex((id, n) => found[n] !== id);
  if (at === -1 && found.length === expected.length) return [];
  const place = at === -1 ? expected.length : at;
  return [
    `${found.length} of ${expected.length}; the first difference is at ${place + 1}: ` +
      `${found[place] ?? "nothing"} for ${expected[place] ?? "nothing"}`,
  ];
}

function outOfOrder(
  written: ReadonlyMap<string, readonly string[]>,
  stored: readonly string[],
): Breach[] {
  const places = new Map(stored.map((id, n) => [id, n]));
  return [...written].flatMap(([orderId, ids]) => {
    const at = ids.map((id) => places.get(id) ?? Infinity);
    const ascends = at.every((place, n) => n === 0 || place > (at[n - 1] ?? -1));
    return ascends ? [] : [`order ${orderId}`];
  });
}
