import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { call, dataOf, type Answer } from "../support/http/call.ts";
import {
  confirmAtDesk,
  fulfilOrder,
  submitOrder,
  type CustomerAccess,
} from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import type { Product } from "../support/product/product.ts";
import { startProduct } from "../support/product/shared-products.ts";
import { connectClient } from "../support/stack/test-client.ts";
import { queryRows } from "../../services/platform/db/transaction.ts";

let product: Product;
let holder: CustomerAccess;
let taker: CustomerAccess;

beforeAll(async () => {
  product = await startProduct();
  holder = await createAccount(product, "Holder");
  taker = await createAccount(product, "Taker");
});

function api(
  { apiUrl, apiKey: key }: CustomerAccess,
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<Answer> {
  return call(`${apiUrl}/v2${path}`, { key, ...options });
}

/** An order for the number that the desk has confirmed. */
async function submitOrderFor(access: CustomerAccess, phone_number: string): Promise<string> {
  const body = { phone_numbers: [phone_number] };
  const made = await api(access, "/porting_orders", { method: "POST", body });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(access, orderId);
  await submitOrder(access, orderId);
  await confirmAtDesk(product, orderId);
  return orderId;
}

async function becomes(access: CustomerAccess, orderId: string, status: string): Promise<Answer> {
  return eventually(async () => {
    const order = await api(access, `/porting_orders/${orderId}`);
    expect(order.body?.["status"]).toBe(status);
    return order;
  });
}

async function numberOf(access: CustomerAccess, phoneNumber: string) {
  return (await api(access, `/numbers/${encodeURIComponent(phoneNumber)}`)).body;
}

async function holdNumber(phoneNumber: string): Promise<void> {
  await becomes(holder, await submitOrderFor(holder, phoneNumber), "completed");
}

/** A text without what differs between any two orders: the number, ids and times. */
function withoutOwn(answer: unknown, phoneNumber: string): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(phoneNumber, "number")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
  return JSON.parse(text);
}

describe("a number that another account of the platform holds", () => {
  // (docs/contract/customer-api.md, Porting orders)
  it("is checked and ordered like any other: nothing reveals that it is with another account, or with which", async () => {
    const [held, free] = [product.newNumber(), product.newNumber()];
    await holdNumber(held);
    const checks = { method: "POST", body: { phone_numbers: [held, free] } };
    const [one, other] = dataOf(await api(taker, "/portability_checks", checks));
    expect(other).toMatchObject({ phone_number: free, portable: true });
    expect(withoutOwn(one, held)).toEqual(withoutOwn(other, free));
    const answers = [];
    for (const number of [held, free]) {
      const body = { phone_numbers: [number] };
      const made = await api(taker, "/porting_orders", { method: "POST", body });
      const path = `/porting_orders/${String(dataOf(made)[0]?.["id"])}`;
      const seen = [made, await api(taker, path), await api(taker, `${path}/timeline`)];
      answers.push(seen.map(({ status, body: shown }) => [status, withoutOwn(shown, number)]));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect((await api(taker, `/numbers/${encodeURIComponent(held)}`)).status).toBe(404);
  });

  it("is not taken while it is locked", async () => {
    const phoneNumber = product.newNumber();
    await holdNumber(phoneNumber);
    const path = `/numbers/${encodeURIComponent(phoneNumber)}`;
    await api(holder, path, { method: "PATCH", body: { port_out_lock: true } });
    const orderId = await submitOrderFor(taker, phoneNumber);
    const rejected = await becomes(taker, orderId, "rejection");
    expect(rejected.body?.["exceptions"]).toMatchObject([{ code: "port_freeze" }]);
    expect(await numberOf(holder, phoneNumber)).toMatchObject({ status: "active" });
    // Nor by an operator's record: the losing carrier is the holder, who has been asked.
    for (const dry_run of [true, false]) {
      const body = { kind: "number_active", raw_status: "MOVED", dry_run };
      const url = `${product.deskUrl}/desk/v1/orders/${orderId}/carrier_updates`;
      const told = await call(url, { method: "POST", key: product.deskToken, body });
      expect([told.status, told.body?.["code"]]).toEqual([409, "invalid_state"]);
    }
  });

  it("moves once its holder approves the port-out, and both accounts hear of it once", async () => {
    const phoneNumber = product.newNumber();
    await holdNumber(phoneNumber);
    const orderId = await submitOrderFor(taker, phoneNumber);
    const portOut = await eventually(async () => {
      const [one] = dataOf(await api(holder, "/port_outs?status=decision_required"));
      expect(one).toMatchObject({ gaining_carrier: "Number Porting Service" });
      return z.object({ id: z.string(), decision_deadline: z.string() }).parse(one);
    });
    const waiting = await api(taker, `/porting_orders/${orderId}`);
    const { decision_deadline: due_at } = portOut;
    expect(waiting.body?.["next_action"]).toMatchObject({ action: "wait_for_carrier", due_at });
    await api(holder, `/port_outs/${portOut.id}/approve`, { method: "POST", body: {} });
    await becomes(taker, orderId, "foc_scheduled");
    await reachFoc(orderId);
    await becomes(taker, orderId, "completed");
    expect(await numberOf(taker, phoneNumber)).toMatchObject({ status: "active" });
    await eventually(async () => {
      const events = dataOf(await api(holder, "/porting/events?type=number.ported_out"));
      expect(events).toMatchObject([
        { payload: { phone_number: phoneNumber, port_out_id: portOut.id } },
      ]);
      const found = await api(holder, `/port_outs/${portOut.id}`);
      expect(found.body).toMatchObject({ status: "ported_out" });
    });
    expect(await numberOf(holder, phoneNumber)).toMatchObject({ status: "ported_out" });
  });
});

/** Brings the confirmed date forward to a moment ago. */
async function reachFoc(orderId: string): Promise<void> {
  const database = await connectClient(product.databaseUrl);
  const at = new Date(Date.now() - 1_000).toISOString();
  await queryRows(database, {
    text: `with dated as (update orders.porting_orders set foc_actual = $2::text where id = $1::text::uuid)
      update orders.deadlines set due_at = $2::text::timestamptz where subject_id = $1::text and kind = 'foc_reached'`,
    values: [orderId, at],
  });
}
