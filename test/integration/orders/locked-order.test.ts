import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { lockOrder } from "../../../services/domain/order/store/read-order.ts";
import type { Queryable } from "../../../services/platform/db/transaction.ts";
import { eventually } from "../../support/eventually.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

let orderId: string;
let one: pg.Client;
let other: pg.Client;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  one = await connectClient(url);
  other = await connectClient(url);
  orderId = await storeOrder(one);
});

/** Changes the order as a decision does: its row with its numbers. */
async function change(client: pg.Client, reference: string): Promise<void> {
  await client.query("update orders.porting_orders set customer_reference = $2 where id = $1", [
    orderId,
    reference,
  ]);
  await client.query("update orders.order_numbers set failure_code = $2 where order_id = $1", [
    orderId,
    reference,
  ]);
}

const seen = async (tx: Queryable) => {
  const order = await lockOrder(tx, orderId);
  return [order?.customer_reference, order?.numbers[0]?.failure_code];
};

/** Until the other waits for what this one holds. */
async function otherWaits(): Promise<void> {
  await eventually(async () => {
    const { rows } = await one.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).not.toEqual([]);
  });
}

/** Runs the statement that locks only once another has changed the order since that statement's snapshot. */
function lateSnapshot(client: pg.Client, meanwhile: () => Promise<void>): Queryable {
  let isFirst = true;
  return {
    query: async (config) => {
      const wasFirst = isFirst;
      isFirst = false;
      if (!wasFirst) return client.query(config);
      // Without `skip locked` it waits with its snapshot taken, as it would between the two.
      const waits = { ...config, text: config.text.replace("skip locked", ""), name: "waits" };
      const answer = client.query<never>(waits);
      await meanwhile();
      return answer;
    },
  };
}

describe("an order that is locked", () => {
  it("is read as it is where nobody holds it, in one statement", async () => {
    await one.query("begin");
    await change(one, "before");
    await one.query("commit");
    const texts: string[] = [];
    const counted: Queryable = {
      query: (config) => {
        texts.push(config.text);
        return other.query(config);
      },
    };
    await other.query("begin");
    expect(await seen(counted)).toEqual(["before", "before"]);
    expect(texts.filter((text) => text.includes("orders.porting_orders"))).toHaveLength(1);
    await other.query("commit");
  });

  // Its numbers were those of before the wait.
  it("is waited for where another holds it, and read with its numbers as that left them", async () => {
    await one.query("begin");
    await change(one, "held");
    await other.query("begin");
    const waiting = seen(other);
    await otherWaits();
    await change(one, "left");
    await one.query("commit");
    expect(await waiting).toEqual(["left", "left"]);
    await other.query("commit");
  });

  it("is read again where another has changed it between snapshot and lock", async () => {
    await one.query("begin");
    await change(one, "meanwhile");
    await other.query("begin");
    const tx = lateSnapshot(other, async () => {
      await otherWaits();
      await one.query("commit");
    });
    expect(await seen(tx)).toEqual(["meanwhile", "meanwhile"]);
    await other.query("commit");
  });

  it("is null where there is none", async () => {
    expect(await lockOrder(other, "00000000-0000-7000-8000-000000000009")).toBeNull();
    expect(await lockOrder(other, "no id")).toBeNull();
  });
});
