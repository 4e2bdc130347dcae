import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({ services: ["api"] });
});

/** Holds the order's lock until `count` others wait for it. */
async function holdUntilWaiting(orderId: string, count: number, act: () => void): Promise<void> {
  const [holder, watcher] = [
    new pg.Client(product.databaseUrl),
    new pg.Client(product.databaseUrl),
  ];
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query("begin");
  await holder.query("select from orders.porting_orders where id = $1 for update", [orderId]);
  act();
  await eventually(async () => {
    const { rowCount } = await watcher.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(count);
  });
  await holder.query("commit");
  await Promise.all([holder.end(), watcher.end()]);
}

describe("a command that waited for its order", () => {
  // It saw the order's numbers and requirements from before its wait, so both requests were allowed.
  it("sees the numbers as the previous command left them", async () => {
    const phones = ["+12125550101", "+12125550102"];
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
