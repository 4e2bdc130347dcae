import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

let product: Product;

/** Who waits for the connection, and who waits for those. */
const WAITING = `with recursive waiting as (
    select pid from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))
    union
    select l.pid from pg_locks l join waiting w on w.pid = any (pg_blocking_pids(l.pid)) where not l.granted
  ) select pid from waiting`;

beforeAll(async () => {
  product = await startProduct();
});

/** Holds the order's lock until `count` others wait for it. */
async function holdUntilWaiting(orderId: string, count: number, act: () => void): Promise<void> {
  const [holder, watcher] = [
    await connectClient(product.databaseUrl),
    await connectClient(product.databaseUrl),
  ];
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  await holder.query("begin");
  await holder.query("select from orders.porting_orders where id = $1 for update", [orderId]);
  act();
  await eventually(async () => {
    const { rowCount } = await watcher.query(WAITING, [rows[0]?.pid]);
    expect(rowCount).toBe(count);
  });
  await holder.query("commit");
}

describe("a command that waited for its order", () => {
  // It saw the order's numbers and requirements from before its wait, so both requests were allowed.
  it("sees the numbers as the previous command left them", async () => {
    const phones = [product.newNumber(), product.newNumber()];
    const api = (method: string, path: string, body: unknown) =>
      call(`${product.apiUrl}/v2/porting_orders${path}`, { method, key: product.apiKey, body });
    const made = await api("POST", "", { phone_numbers: phones });
    const id = z.string().parse(dataOf(made)[0]?.["id"]);
    let removals: ReturnType<typeof api>[] = [];
    await holdUntilWaiting(id, 2, () => {
      removals = phones.map((one) => api("PATCH", `/${id}`, { remove_phone_numbers: [one] }));
    });
    const answers = await Promise.all(removals);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});
