import { createCodec } from "../../../../services/messages/codec.ts";
import { eventMessage } from "../../../../services/domain/event/rules/new-event.ts";
import { systemClock } from "../../../../services/platform/clock.ts";
import { createPool } from "../../../../services/platform/db/pool.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { writeOutbox } from "../../../../services/platform/outbox/outbox.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import type { Bench } from "../bench.ts";

const ROWS = 60_000;
const BATCH = 1_000;
const log = createLogger("bench", "silent");

async function fill({ databaseUrl, registryUrl, topicPrefix }: OwnProduct): Promise<void> {
  const pool = createPool({ url: databaseUrl, service: "bench", size: 2, log });
  const signal = new AbortController().signal;
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  for (let n = 0; n < ROWS; n += BATCH) {
    const events = Array.from({ length: BATCH }, () => freshEvent(crypto.randomUUID()));
    const rows = events.map((event) => eventMessage({ codec, topicPrefix }, event));
    await writeOutbox(pool, rows);
  }
  await pool.query("analyze messaging.outbox");
  await pool.end();
}

interface Drained {
  readonly left: number;
  readonly seconds: number | null;
}

async function drained(databaseUrl: string): Promise<Drained> {
  const pool = createPool({ url: databaseUrl, service: "bench", size: 1, log });
  const { rows } = await pool.query<Drained>(
    `select count(*) filter (where waits) as left,
      extract(epoch from max(sent_at) - min(sent_at))::float as seconds from messaging.outbox_progress`,
  );
  await pool.end();
  return rows[0] ?? { left: ROWS, seconds: null };
}

/** The relay alone, from the first row marked as sent to the last. */
export const relay: Bench = {
  name: "relay",
  area: "Events and messages",
  run: async (context) => {
    const product = await startProductAt(await context.newPlace(), { services: [] });
    try {
      await fill(product);
      product.supervisor.start("outbox-relay");
      await until(async () => (await drained(product.databaseUrl)).left === 0, {
        timeoutMs: 120_000,
        what: "the outbox to be empty",
        everyMs: 500,
      });
      const { seconds } = await drained(product.databaseUrl);
      return [
        {
          name: "outbox-relay alone",
          measured: ROWS / (seconds ?? Infinity),
          unit: "rows/s",
          target: { kind: "at_least", accept: 8_000 },
        },
      ];
    } finally {
      await product.stop();
    }
  },
};
