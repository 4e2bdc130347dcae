import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import {
  inOpenTransaction,
  inTransaction,
  queryRows,
  type OpenTransaction,
} from "./transaction.ts";

const named = (name: string): QueryConfig => ({ name, text: "" });

/** A pool of one client, which records what it is asked; the query `fails` is refused. */
function recording() {
  const asked: string[] = [];
  const query = async (config: string | QueryConfig) => {
    const name = typeof config === "string" ? config : (config.name ?? "");
    asked.push(name);
    await Promise.resolve();
    asked.push(`end of ${name}`);
    if (name === "fails") throw new Error("refused");
    return { rows: [] };
  };
  const client = { query, release: () => asked.push("release") };
  const pool = { connect: () => Promise.resolve(client) } as unknown as Pool;
  return { pool, asked: () => asked.filter((name) => !name.startsWith("end of")), order: asked };
}

describe("an open transaction", () => {
  it("has what begins in it as its part, and is committed as one", async () => {
    const { pool, asked } = recording();
    const result = await inOpenTransaction(pool, async (tx) => {
      await inTransaction(tx, (same) => queryRows(same, named("a")));
      return inTransaction(tx, async (same) => {
        await queryRows(same, named("b"));
        return "done";
      });
    });
    expect(result).toBe("done");
    expect(asked()).toEqual(["begin", "a", "b", "commit", "release"]);
  });

  it("is rolled back whole where a part throws", async () => {
    const { pool, asked } = recording();
    const failed = inOpenTransaction(pool, async (tx) => {
      await inTransaction(tx, (same) => queryRows(same, named("a")));
      await inTransaction(tx, () => Promise.reject(new Error("no")));
    });
    await expect(failed).rejects.toThrow("no");
    expect(asked()).toEqual(["begin", "a", "rollback", "release"]);
  });

  it("asks one after the other what is asked at once", async () => {
    const { pool, order } = recording();
    await inOpenTransaction(pool, async (tx) => {
      await Promise.all(["a", "b"].map((name) => tx.query(named(name))));
    });
    expect(order.slice(2, 6)).toEqual(["a", "end of a", "b", "end of b"]);
  });

  // Postgres answers the commit of a transaction that has failed with a rollback, and no error.
  it("is not committed where a statement failed, though the work went on", async () => {
    const { pool, asked } = recording();
    const failed = inOpenTransaction(pool, (tx) => tx.query(named("fails")).catch(() => "went on"));
    await expect(failed).rejects.toThrow("refused");
    expect(asked()).toEqual(["begin", "fails", "rollback", "release"]);
  });

  it("waits for what nobody awaited, and refuses what comes later: its connection is another's", async () => {
    const { pool, asked } = recording();
    const kept: OpenTransaction[] = [];
    await inOpenTransaction(pool, (tx) => {
      kept.push(tx);
      void tx.query(named("a"));
      return Promise.resolve();
    });
    expect(asked()).toEqual(["begin", "a", "commit", "release"]);
    await expect(kept[0]?.query(named("late"))).rejects.toThrow("after the end");
    expect(asked()).not.toContain("late");
  });
});
