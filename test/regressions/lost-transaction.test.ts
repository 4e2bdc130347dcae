import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { createPool } from "../../services/platform/db/pool.ts";
import type { Queryable } from "../../services/platform/db/transaction.ts";
import { inTransaction, queryRows } from "../../services/platform/db/transaction.ts";
import { createLogger } from "../../services/platform/logger.ts";
import type { TestDatabase } from "../support/test-stack.ts";
import { createTestDatabase } from "../support/test-stack.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.url,
    service: "test",
    size: 2,
    log: createLogger("test", "silent"),
  });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function backendOf(tx: Queryable): Promise<number> {
  const [row] = await queryRows<{ pid: number }>(tx, { text: "select pg_backend_pid() as pid" });
  return row?.pid ?? 0;
}

async function end(pid: number): Promise<void> {
  await queryRows(pool, { text: "select pg_terminate_backend($1)", values: [pid] });
}

// The pool listens to no client that it has lent out: the error that nobody heard ended the process.
describe("a transaction whose connection is lost", () => {
  const passing = { code: "database_unavailable", retryable: true };

  it("fails as a passing fault in the middle of a statement", async () => {
    const lost = inTransaction(pool, async (tx) => {
      const pid = await backendOf(tx);
      await Promise.all([queryRows(tx, { text: "select pg_sleep(9)" }), end(pid)]);
    });
    await expect(lost).rejects.toMatchObject(passing);
  });

  it("fails as a passing fault between two statements", async () => {
    const lost = inTransaction(pool, async (tx) => {
      const gone = new Promise<void>((resolve) => {
        (tx as pg.PoolClient).on("end", () => resolve());
      });
      await end(await backendOf(tx));
      await gone;
      await queryRows(tx, { text: "select 1" });
    });
    await expect(lost).rejects.toMatchObject(passing);
  });
});
