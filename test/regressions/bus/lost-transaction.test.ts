import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool, PoolClient } from "pg";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../../services/platform/db/transaction.ts";
import { openTestPool } from "../../support/stack/test-pool.ts";

let pool: Pool;

beforeAll(async () => {
  pool = await openTestPool({ size: 2 });
});

async function backendOf(tx: Queryable): Promise<number> {
  const [row] = await queryRows<{ pid: number }>(tx, { text: "select pg_backend_pid() as pid" });
  return row?.pid ?? 0;
}

async function end(pid: number): Promise<void> {
  await queryRows(pool, { text: "select pg_terminate_backend($1)", values: [pid] });
}

// The pool does not listen for errors of a client in use, so the unhandled error ended the process.
describe("a transaction whose connection is lost", () => {
  const passing = { code: "database_unavailable", retryable: true };

  it("fails as a transient fault in the middle of a statement", async () => {
    const lost = inTransaction(pool, async (tx) => {
      const pid = await backendOf(tx);
      await Promise.all([queryRows(tx, { text: "select pg_sleep(9)" }), end(pid)]);
    });
    await expect(lost).rejects.toMatchObject(passing);
  });

  it("fails as a transient fault between two statements", async () => {
    const lost = inTransaction(pool, async (tx) => {
      const gone = new Promise<void>((resolve) => {
        (tx as PoolClient).on("end", () => resolve());
      });
      await end(await backendOf(tx));
      await gone;
      await queryRows(tx, { text: "select 1" });
    });
    await expect(lost).rejects.toMatchObject(passing);
  });
});
