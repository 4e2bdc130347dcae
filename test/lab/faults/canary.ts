import { setTimeout as pause } from "node:timers/promises";
import { dataOf } from "../../support/http/call.ts";
import { ask } from "./ask.ts";
import { createOrder, type CustomerOptions } from "./customer.ts";
import type { FaultReceiver } from "./fault-receiver.ts";

const EVERY_MS = 250;
const LOOK_MS = 20;
/** A canary that has not got through by then is given up: later ones tell. */
const GIVE_UP_MS = 20_000;
const REQUEST_MS = 2_000;

export interface CanaryOptions extends Omit<CustomerOptions, "random" | "comments"> {
  readonly receiver: FaultReceiver;
}

/**
 * Creates a draft every 250 ms and waits until its event is in the feed and its webhook is received. So it shows since
 * when the product has been working: API, database, relay, Kafka, event log and sender.
 */
export class Canary {
  readonly #options: CanaryOptions;
  /** When the canaries that got through were started, the latest last. */
  readonly #through: { readonly startedAt: number; readonly at: number }[] = [];

  constructor(options: CanaryOptions) {
    this.#options = options;
  }

  /** Sends canaries until `isOver`. @throws the first error of one, such as a refusal of its request */
  async run(isOver: () => boolean): Promise<void> {
    const sent = new Set<Promise<void>>();
    const errors: unknown[] = [];
    while (!isOver() && errors.length === 0) {
      const one: Promise<void> = this.#send()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => sent.delete(one));
      sent.add(one);
      await pause(EVERY_MS);
    }
    await Promise.all(sent);
    if (errors.length > 0) throw errors[0];
  }

  /** How long after a moment of `performance.now()` the first canary got through that was started since; null: none yet. */
  wellAfterMs(moment: number): number | null {
    const since = this.#through.filter(({ startedAt }) => startedAt >= moment).map(({ at }) => at);
    return since.length === 0 ? null : Math.min(...since) - moment;
  }

  async #send(): Promise<void> {
    const { numbers, receiver, receiverUrl, apiUrl, key } = this.#options;
    const startedAt = performance.now();
    const number = numbers.next().value;
    const ownPath = `/canary/${number.slice(1)}`;
    const created = await createOrder({ ...this.#options, receiverUrl }, number, ownPath);
    if (created === null) {
      const { record, accountId } = this.#options;
      record.doubtfulNumbers.set(number, { accountId, ownPath });
      return;
    }
    const feed = `${apiUrl}/v2/porting/events?porting_order_id=${created.orderId}`;
    while (performance.now() - startedAt < GIVE_UP_MS) {
      if (receiver.has(ownPath)) {
        const found = await ask(feed, { key, timeoutMs: REQUEST_MS });
        if (found?.status === 200 && dataOf(found).length > 0) {
          this.#through.push({ startedAt, at: performance.now() });
          return;
        }
      }
      await pause(LOOK_MS);
    }
  }
}
