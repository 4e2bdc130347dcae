import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { contextJson } from "../../../services/domain/event/rules/event-context.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { numbersEnding } from "../../support/carriers/ending-numbers.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";

let product: Product;
let database: pg.Client;
/** The sandbox carrier rejects it once: its account number is wrong. */
let phoneNumber: string;
let orderId: string;

async function waitFor(status: string): Promise<void> {
  await eventually(async () => {
    const order = await call(`${product.apiUrl}/v2/porting_orders/${orderId}`, {
      key: product.apiKey,
    });
    expect(order.body?.["status"]).toBe(status);
  });
}

async function submitAndConfirm(): Promise<void> {
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  await confirmAtDesk(product, orderId);
}

beforeAll(async () => {
  product = await startProduct();
  [phoneNumber = ""] = numbersEnding(product, "718")("9901");
  database = await connectClient(product.databaseUrl);
  const body = { phone_numbers: [phoneNumber] };
  const url = `${product.apiUrl}/v2/porting_orders`;
  const [order] = dataOf(await call(url, { method: "POST", key: product.apiKey, body }));
  orderId = String(order?.["id"]);
  await submitAndConfirm();
  await waitFor("rejection");
  await submitAndConfirm();
  await waitFor("completed");
  // The log follows the order; its number's events are in order among themselves alone.
  await eventually(async () => {
    const last = await ask(`select o.status, n.status as number from analytics.orders o
      join analytics.numbers n using (order_id) where order_id = $1`);
    expect(last).toEqual([{ status: "completed", number: "active" }]);
  });
});

async function ask(text: string): Promise<unknown[]> {
  return (await database.query<Record<string, unknown>>(text, [orderId])).rows;
}

describe("Event envelope: the optional fields are for analytics", () => {
  it("are with every event of an order, on the topic and in the log", async () => {
    const [counted] = (await ask(
      "select count(*)::integer as events from events.log where order_id = $1",
    )) as [{ events: number }];
    const events = await readMessages(product, "porting.events");
    const own = new Map(
      events.filter(({ order_id }) => order_id === orderId).map((event) => [event.id, event]),
    );
    expect(own.size).toBeGreaterThanOrEqual(counted.events);
    const logged = (await ask("select id, context from events.log where order_id = $1")) as {
      id: string;
      context: unknown;
    }[];
    for (const { id, context } of logged) {
      const event = own.get(id);
      if (event === undefined) throw new Error(`${id} is not on the topic`);
      expect(context).toEqual(JSON.parse(contextJson(event) ?? "null"));
      expect(context).toMatchObject({
        provider: "sandbox",
        country_code: "US",
        number_type: "local",
        actor: expect.stringMatching(/^(customer|desk|carrier|system)$/),
      });
      const isCarriers = event.actor === "carrier";
      expect(event.occurred_at === null).toBe(!isCarriers);
    }
  });

  it("say why the carrier rejected it, without the text about a sensitive value", async () => {
    const rejections =
      await ask(`select code, slug, text, raised_by, is_final, provider, country_code
      from analytics.rejections where order_id = $1`);
    expect(rejections).toEqual([
      {
        code: "account_number_mismatch",
        slug: "account_number",
        text: null,
        raised_by: "carrier",
        is_final: false,
        provider: "sandbox",
        country_code: "US",
      },
    ]);
  });
});

describe("the views, of a real order", () => {
  it("show the order, its steps and its number", async () => {
    expect(
      await ask(`select status, desk_cases, carrier_requests, numbers, active_numbers, failed_numbers,
        activated_at is not null as is_active, foc_day is not null as has_date
        from analytics.orders where order_id = $1`),
    ).toEqual([
      {
        status: "completed",
        desk_cases: 2,
        carrier_requests: 2,
        numbers: 1,
        active_numbers: 1,
        failed_numbers: 0,
        is_active: true,
        has_date: true,
      },
    ]);
    const steps = (await ask(`select from_status, to_status, actor, seconds is null as is_last
      from analytics.order_steps where order_id = $1 order by entered_at, step_id`)) as {
      from_status: string | null;
      to_status: string;
      actor: string;
      is_last: boolean;
    }[];
    expect(steps[0]).toEqual({
      from_status: null,
      to_status: "draft",
      actor: "customer",
      is_last: false,
    });
    expect(steps.slice(1).map((step) => step.from_status)).toEqual(
      steps.slice(0, -1).map((step) => step.to_status),
    );
    expect(steps.filter((step) => step.to_status === "in_review")).toHaveLength(2);
    expect(steps.at(-1)).toMatchObject({ to_status: "completed", actor: "carrier", is_last: true });
    expect(
      await ask("select phone_number, status, left_at from analytics.numbers where order_id = $1"),
    ).toEqual([{ phone_number: phoneNumber, status: "active", left_at: null }]);
  });
});
