import type { Pool } from "pg";
import {
  EVENT,
  eventArrays,
  storeCall,
} from "../../../../services/domain/event/store/store-events.ts";
import {
  toStorable,
  type StorableEvent,
} from "../../../../services/domain/event/rules/storable-event.ts";
import { arrayParameters } from "../../../../services/platform/db/recordset.ts";
import { createPool } from "../../../../services/platform/db/pool.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import { median, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";

const BATCH = 500;
const BATCHES = 40;
const ROUNDS = 5;

const STORE = `select ${storeCall(arrayParameters(EVENT, 1))}`;

const FLOOR = `insert into bench_log
    (id, account_id, seq, type, order_id, sequence_key, order_sequence, created_at, reached, body,
      context)
  select u.id, u.account_id, $10 + u.nth, u.type, u.order_id, u.sequence_key, u.order_sequence, u.at, u.at, u.body,
    u.context::jsonb
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::integer[],
    $7::timestamptz[], $8::bytea[], $9::text[]) with ordinality
    u (id, account_id, type, order_id, sequence_key, order_sequence, at, body, context, nth)`;

function batches(accounts: readonly string[]): StorableEvent[][] {
  return Array.from({ length: BATCHES }, (_, b) =>
    Array.from({ length: BATCH }, (_event, n) =>
      toStorable(freshEvent(accounts[(b * BATCH + n) % accounts.length] ?? "")),
    ),
  );
}

async function rate(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (BATCH * BATCHES * 1_000) / (performance.now() - startedAt);
}

async function compare(pool: Pool, count: number): Promise<Figure> {
  const ours: number[] = [];
  const floors: number[] = [];
  let seq = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const accounts = Array.from({ length: count }, () => crypto.randomUUID());
    const [own, bare] = [batches(accounts), batches(accounts)];
    floors.push(
      await rate(async () => {
        for (const batch of bare) {
          const values = [...eventArrays(batch), seq];
          await pool.query({ name: "floor", text: FLOOR, values });
          seq += BATCH;
        }
      }),
    );
    ours.push(
      await rate(async () => {
        for (const batch of own) {
          await pool.query({ name: "store", text: STORE, values: eventArrays(batch) });
        }
      }),
    );
  }
  return {
    name: `event log, ${count} account${count === 1 ? "" : "s"}`,
    measured: median(ours),
    unit: "events/s",
    floor: { what: "bare unnest insert", measured: median(floors) },
    target: { kind: "at_least_of_floor", accept: 0.5 },
  };
}

/** Inserts into the log, with numbering and lookups, compared with a bare insert with the same columns and indexes. */
export const eventLog: Bench = {
  name: "event-log",
  area: "Events and messages",
  run: async (context) => {
    const { databaseUrl } = await context.newPlace();
    const log = createLogger("bench", "silent");
    const pool = createPool({ url: databaseUrl, service: "bench", size: 1, log });
    try {
      await pool.query("create table bench_log (like events.log including all)");
      return [await compare(pool, 1), await compare(pool, 1_000)];
    } finally {
      await pool.end();
    }
  },
};
