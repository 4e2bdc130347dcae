import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { watchPool, type DividedPool } from "../../../services/platform/db/pool.ts";
import { inOpenTransaction, inTransaction } from "../../../services/platform/db/transaction.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { MetricsPage } from "../../support/http/metrics-page.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

let database: TestDatabase;
let pool: DividedPool;
let read: () => Promise<MetricsPage>;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(() => {
  pool = openPoolAt(database.url, { size: 1 });
  const metrics = createMetrics("test");
  watchPool(metrics, "main", pool);
  read = async () => new MetricsPage((await metrics.page()).text);
});

const waited = async (): Promise<number | null> =>
  (await read()).sum("database_pool_wait_seconds_count", { pool: "main" });

describe("the connections of a pool", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["a query", () => pool.query("select 1")],
    ["a client", async () => (await pool.connect()).release()],
    [
      "a transaction of a request",
      () => inOpenTransaction(pool, (tx) => tx.query({ text: "select 1" })),
    ],
  ])("show who waits for one, and for how long: %s", async (_, ask) => {
    const held = await pool.connect();
    expect(await waited()).toBe(0);
    const asked = ask();
    const page = await read();
    expect(page.sum("database_pool_waiting_requests")).toBe(1);
    expect(page.sum("database_pool_connections", { state: "busy" })).toBe(1);
    held.release();
    await asked;
    expect(await waited()).toBe(1);
    const after = await read();
    expect(after.sum("database_pool_waiting_requests")).toBe(0);
    expect(after.sum("database_pool_connections", { state: "idle" })).toBe(1);
  });

  it("count no wait where one is free, may be opened, or is the transaction's own", async () => {
    await pool.query("select 1");
    await inOpenTransaction(pool, async (tx) => {
      await tx.query({ text: "select 1" });
      await inTransaction(tx, (same) => same.query({ text: "select 1" }));
    });
    expect(await waited()).toBe(0);
  });
});
