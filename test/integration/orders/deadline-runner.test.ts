import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import {
  startDeadlineRunner,
  type DueBatch,
  type TakeBatch,
} from "../../../services/order-lifecycle/deadlines/deadline-runner.ts";
import { orderDeadlines } from "../../../services/order-lifecycle/deadlines/deadline-kinds.ts";
import { isAnyDue } from "../../../services/order-lifecycle/deadlines/store/take-due-deadlines.ts";
import { dueKinds } from "../../../services/domain/deadline/deadline.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import type { Periodic } from "../../../services/platform/periodic.ts";
import { eventually } from "../../support/eventually.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

const BROKEN = { kind: "broken", subject_id: "one" };
const NEVER = { rejection_expiry: 0, foc_grace: 0, carrier_silence: 0, date_confirmation: 0 };

const log = createLogger("test", "silent");

let pool: pg.Pool;
let runner: Periodic;
let order: string;

beforeAll(async () => {
  pool = await openTestPool();
});

beforeEach(async () => {
  order = await storeOrder(pool);
  await pool.query(
    `insert into orders.deadlines (kind, subject_id, since) values ('draft_expiry', $1, now() - interval '1 hour')`,
    [order],
  );
});

afterEach(async () => {
  await runner.stop();
});

const SPANS = { ...NEVER, draft_expiry: 1_000 };
/** The order of a test has waited for an hour. */
const NEVER_DUE = { ...NEVER, draft_expiry: 7_200_000 };

function start(...takers: readonly TakeBatch[]): void {
  startOf([...takers, orderDeadlines(SPANS, new Map())], () => Promise.resolve(true));
}

function startOf(takers: readonly TakeBatch[], isDue: (now: Date) => Promise<boolean>): void {
  const codec = { encode: () => Buffer.from("message") };
  const bus = { pool, codec, topicPrefix: "", clock: systemClock, log, tracing: null };
  runner = startDeadlineRunner(bus, { pollMs: 20, isAnyDue: isDue, takers });
}

async function expectExpired(): Promise<void> {
  await eventually(async () => {
    const { rows } = await pool.query(
      `select o.deleted_at is not null as deleted,
        exists (select from orders.deadlines d where d.subject_id = o.id::text) as waits
      from orders.porting_orders o where o.id = $1`,
      [order],
    );
    expect(rows).toEqual([{ deleted: true, waits: false }]);
  });
}

describe("the deadline runner", () => {
  it("postpones a deadline whose handler fails, and handles the others", async () => {
    const batches: DueBatch["except"][] = [];
    start(async (_writer, { except, handle }) => {
      batches.push(except);
      if (except.length > 0) return 0;
      await handle(BROKEN, () => Promise.reject(new TypeError("a bug")));
      return 1;
    });
    await expectExpired();
    await eventually(() => {
      expect(batches.length).toBeGreaterThan(2);
      return Promise.resolve();
    });
    const [first, ...later] = batches;
    expect(first).toEqual([]);
    for (const except of later) expect(except).toEqual([expect.objectContaining(BROKEN)]);
  });

  it("retries deadlines that cannot be handled now, and handles the others meanwhile", async () => {
    let turns = 0;
    start(async (_writer, { except, handle }) => {
      turns += 1;
      expect(except).toEqual([]);
      const away = new AppError("database_unavailable", "away", { retryable: true });
      await handle(BROKEN, () => Promise.reject(away));
      return 1;
    });
    await expectExpired();
    await eventually(() => {
      expect(turns).toBeGreaterThan(2);
      return Promise.resolve();
    });
  });

  it("begins nothing while no deadline is due, and takes what becomes due", async () => {
    let taken = 0;
    const looks: boolean[] = [];
    const take = orderDeadlines(SPANS, new Map());
    const taker: TakeBatch = async (writer, batch) => {
      taken += 1;
      return take(writer, batch);
    };
    let spans = NEVER_DUE;
    startOf([taker], async (now) => {
      const isDue = await isAnyDue(pool, dueKinds(now, spans));
      looks.push(isDue);
      return isDue;
    });
    await eventually(() => {
      expect(looks.length).toBeGreaterThan(2);
      return Promise.resolve();
    });
    expect([taken, looks.includes(true)]).toEqual([0, false]);
    spans = SPANS;
    await expectExpired();
  });
});
