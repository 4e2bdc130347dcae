import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { startProductAt } from "../../support/product/product.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { quantile, type Bench } from "../bench.ts";

const PER_SECOND = 50;
const WARM = 10 * PER_SECOND;
const MEASURED = 30 * PER_SECOND;

const created = z.object({ payload: z.object({ porting_order: z.object({ id: z.string() }) }) });

/** From the API's answer to the receiver's first byte of `porting_order.created`, at 50 orders a second. */
export const receipt: Bench = {
  name: "receipt",
  run: async (context) => {
    const product = await startProductAt(await context.newPlace(), {});
    const receivedAt = new Map<string, number>();
    const receiver = await startWebhookReceiver(({ body }) => {
      const at = performance.now();
      receivedAt.set(created.parse(JSON.parse(body.toString())).payload.porting_order.id, at);
      return 200;
    });
    const key = product.apiKey;
    const answeredAt = new Map<string, number>();
    try {
      const endpoint = { url: `${receiver.url}/hook`, enabled_events: ["porting_order.created"] };
      const body = endpoint;
      await call(`${product.apiUrl}/v2/webhook_endpoints`, { method: "POST", key, body });
      const numbers = phoneNumbers();
      const create = async (): Promise<void> => {
        const order = { phone_numbers: [numbers.next().value] };
        const url = `${product.apiUrl}/v2/porting_orders`;
        const answer = await call(url, { method: "POST", key, body: order });
        answeredAt.set(z.string().parse(dataOf(answer)[0]?.["id"]), performance.now());
      };
      const startedAt = performance.now();
      const running: Promise<void>[] = [];
      for (let n = 0; n < WARM + MEASURED; n += 1) {
        const due = startedAt + (n * 1_000) / PER_SECOND;
        const ms = due - performance.now();
        if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
        running.push(create());
      }
      await Promise.all(running);
      await until(() => receivedAt.size >= answeredAt.size, {
        timeoutMs: 30_000,
        what: "every webhook",
      });
    } finally {
      await product.stop();
      await receiver.stop();
    }
    const waits = [...answeredAt]
      .slice(WARM)
      .map(([id, at]) => Math.max(0, (receivedAt.get(id) ?? Infinity) - at));
    return [0.5, 0.99].map((share) => ({
      name: `API's answer → receipt at 50/s, p${share * 100}`,
      measured: quantile(waits, share),
      unit: "ms",
      target: { kind: "reported" },
    }));
  },
};
