import { createLogger } from "../../../services/platform/logger.ts";
import type { ClaimedDelivery } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import type { AttemptResult } from "../../../services/webhook-sender/store/record-results.ts";
import { PRIORITIES, type DueLine } from "../../../services/webhook-sender/queue/endpoint-queue.ts";
import {
  Scheduler,
  type SchedulerOptions,
} from "../../../services/webhook-sender/queue/scheduler.ts";
import { claimOf as claimOfUrl } from "./attempt-once.ts";

const log = createLogger("test", "silent");

/** A delivery whose account and host are the first letter of its id. */
export const claimOf = (id: string): ClaimedDelivery => ({
  ...claimOfUrl(`https://${id.slice(0, 1)}.example`),
  id,
  account_id: id.slice(0, 1),
});

const resultOf = (delivery: ClaimedDelivery): AttemptResult => ({
  delivery,
  outcome: { trigger: "attempt_succeeded" },
  endedAt: new Date(0),
  entry: {
    attempt: 1,
    started_at: "",
    duration_ms: 1,
    response_code: 200,
    error: null,
    response_body: "",
  },
});

const nameOf = ({ endpoint_key, priority }: DueLine): string => `${endpoint_key} ${priority}`;

/** Lets everything that is due now run. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A scheduler over claims that always succeed; the test ends its attempts. */
export function setUpScheduler(over: Partial<SchedulerOptions> = {}) {
  const running = new Map<string, (result: AttemptResult | null) => void>();
  const started: string[] = [];
  const results: string[] = [];
  const givenBack: string[] = [];
  const putBack: string[] = [];
  const waiting = new Map<string, string[]>();
  const scheduler = new Scheduler({
    concurrency: 100,
    perHost: 100,
    claim: (ids) => Promise.resolve(ids.map(claimOf)),
    fetchDue: (lines, limit) =>
      Promise.resolve(
        lines.map((line) => ({
          ...line,
          delivery_ids: waiting.get(nameOf(line))?.splice(0, limit) ?? [],
        })),
      ),
    start: (delivery) => {
      started.push(delivery.id);
      const result = new Promise<AttemptResult | null>((resolve) => {
        running.set(delivery.id, resolve);
      });
      return Promise.resolve({ result, cancel: () => running.get(delivery.id)?.(null) });
    },
    onResult: ({ delivery }) => results.push(delivery.id),
    giveBack: (deliveries) => {
      givenBack.push(...deliveries.map(({ id }) => id));
      return Promise.resolve();
    },
    putBack: (deliveries) => {
      putBack.push(...deliveries.map(({ id }) => id));
      return Promise.resolve();
    },
    reserve: () => Promise.resolve(0),
    isCongested: () => false,
    log,
    ...over,
  });
  /** Makes deliveries that wait in Postgres. */
  const offer = (line: DueLine, names: readonly string[]) => {
    waiting.set(nameOf(line), [...(waiting.get(nameOf(line)) ?? []), ...names]);
    scheduler.wake([line]);
  };
  const end = async (...ids: string[]) => {
    for (const id of ids) {
      running.get(id)?.(resultOf(claimOf(id)));
      running.delete(id);
    }
    await settle();
  };
  return { scheduler, offer, started, results, givenBack, putBack, end };
}

export const first = (endpoint_key: string): DueLine => ({
  endpoint_key,
  priority: PRIORITIES.first,
});

export const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);
