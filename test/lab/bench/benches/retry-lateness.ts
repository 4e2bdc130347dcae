import { z } from "zod";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import { call } from "../../../support/http/call.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../../support/webhooks/webhook-receiver.ts";
import { quantile, type Bench, type BenchContext } from "../bench.ts";
import type { Figure } from "../figure.ts";

const DELIVERIES = 1_000;
const PER_SECOND = 50;
const TIERS_MS = [3_000, 7_000];
const MAX_LATE_MS = 500;

/** A receiver that fails every delivery once per tier and records the time of each attempt. */
class FailingReceiver {
  readonly #arrivals = new Map<string, number[]>();
  #receiver: WebhookReceiver | null = null;
  #done = 0;

  async start(): Promise<string> {
    this.#receiver = await startWebhookReceiver(({ headers }) => {
      const at = performance.now();
      const id = z.string().parse(headers["porting-event-id"]);
      const arrivals = this.#arrivals.get(id) ?? [];
      this.#arrivals.set(id, [...arrivals, at]);
      if (arrivals.length < TIERS_MS.length) return 503;
      this.#done += 1;
      return 200;
    });
    return `${this.#receiver.url}/hook`;
  }

  get done(): number {
    return this.#done;
  }

  /** How much later than its tier's delay each retry came, measured from the previous answer. */
  latenessMs(without: ReadonlySet<string>): number[] {
    return [...this.#arrivals].flatMap(([id, arrivals]) =>
      without.has(id)
        ? []
        : TIERS_MS.map((tierMs, n) => (arrivals[n + 1] ?? Infinity) - (arrivals[n] ?? 0) - tierMs),
    );
  }

  /** POSTs beyond one for each tier and the final one. */
  get surplus(): number {
    const extra = [...this.#arrivals.values()].map(({ length }) => length - TIERS_MS.length - 1);
    return extra.reduce((sum, one) => sum + one, 0);
  }

  async stop(): Promise<void> {
    await this.#receiver?.stop();
  }
}

/** Creates orders at a steady rate, one delivery each; calls `halfway` once half of them exist. */
async function makeOrders(product: OwnProduct, url: string, halfway: () => void): Promise<void> {
  const key = product.apiKey;
  const endpoint = { url, enabled_events: ["porting_order.created"] };
  await call(`${product.apiUrl}/v2/webhook_endpoints`, { method: "POST", key, body: endpoint });
  const numbers = phoneNumbers();
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  for (let n = 0; n < DELIVERIES; n += 1) {
    const ms = startedAt + (n * 1_000) / PER_SECOND - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    if (n === DELIVERIES / 2) halfway();
    const body = { phone_numbers: [numbers.next().value] };
    running.push(call(`${product.apiUrl}/v2/porting_orders`, { method: "POST", key, body }));
  }
  await Promise.all(running);
}

const page = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      event_id: z.string(),
      attempt_log: z.array(z.object({ error: z.object({ code: z.string() }).nullable() })),
    }),
  ),
  has_more: z.boolean(),
});

/** The events of deliveries with an interrupted attempt, which is repeated when its lease has ended. */
async function readInterrupted(product: OwnProduct): Promise<Set<string>> {
  const found = new Set<string>();
  for (let cursor = "", more = true; more;) {
    const url = `${product.apiUrl}/v2/webhook_deliveries?limit=250${cursor}`;
    const { data, has_more } = page.parse((await call(url, { key: product.apiKey })).body);
    for (const one of data) {
      const isCut = one.attempt_log.some(({ error }) => error?.code === "interrupted");
      if (isCut) found.add(one.event_id);
    }
    cursor = `&starting_after=${data.at(-1)?.id ?? ""}`;
    more = has_more;
  }
  return found;
}

interface Measured {
  readonly latenessMs: readonly number[];
  readonly early: number;
  readonly interrupted: number;
  readonly surplus: number;
}

async function measure(context: BenchContext, isKilled: boolean): Promise<Measured> {
  const product = await startProductAt(await context.newPlace(), {
    services: ["api", "outbox-relay", "event-log", "webhook-sender", "webhook-sender#2"],
    env: {
      WEBHOOK_RETRY_SCHEDULE: TIERS_MS.map((ms) => `${ms}ms`).join(","),
      RATE_LIMIT_PER_MINUTE: "0",
    },
  });
  const receiver = new FailingReceiver();
  try {
    await makeOrders(product, await receiver.start(), () => {
      if (isKilled) product.supervisor.service("webhook-sender").program.kill("SIGKILL");
    });
    await until(() => receiver.done >= DELIVERIES, {
      timeoutMs: 90_000,
      what: "every delivery's last attempt",
    });
    const interrupted = await readInterrupted(product);
    const latenessMs = receiver.latenessMs(interrupted);
    return {
      latenessMs,
      early: latenessMs.filter((ms) => ms < 0).length,
      interrupted: interrupted.size,
      surplus: receiver.surplus,
    };
  } finally {
    await product.stop();
    await receiver.stop();
  }
}

function reported(name: string, measured: number, unit = ""): Figure {
  return { name, measured, unit, target: { kind: "reported" } };
}

function atMost(value: number, figure: Figure): Figure {
  return { ...figure, target: { kind: "at_most", accept: value } };
}

/** The lateness of retries from the delay topics, undisturbed and with one of two senders killed midway. */
export const retryLateness: Bench = {
  name: "retry-lateness",
  area: "Webhooks",
  once: true,
  run: async (context) => {
    const peace = await measure(context, false);
    const killed = await measure(context, true);
    const during = "  with a sender killed midway";
    return [
      reported(`retry after its due time, ${DELIVERIES} deliveries, p50`, p(peace, 0.5), "ms"),
      atMost(MAX_LATE_MS, reported("  p99", p(peace, 0.99), "ms")),
      atMost(0, reported("  too early", peace.early)),
      atMost(0, reported("  surplus POSTs", peace.surplus)),
      reported(`${during}, p99`, p(killed, 0.99), "ms"),
      reported(`${during}, latest`, p(killed, 1), "ms"),
      atMost(0, reported(`${during}, too early`, killed.early)),
      reported(`${during}, attempts interrupted and repeated`, killed.interrupted),
    ];
  },
};

function p({ latenessMs }: Measured, share: number): number {
  return quantile(latenessMs, share);
}
