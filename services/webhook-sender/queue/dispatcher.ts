import type { Pool } from "pg";
import type { Bus } from "../../messages/bus/bus.ts";
import type { RetryStep } from "../../messages/retry-schedule.ts";
import { createGuardedAgent, type Egress } from "../../platform/net/guarded-connect.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { SenderMetrics } from "../sender-metrics.ts";
import { startAttempt, type AttemptContext } from "../attempt/attempt.ts";
import { claimDeliveries, giveBack, putBack } from "../store/claim-deliveries.ts";
import { dueDeliveries } from "../store/due-deliveries.ts";
import { CONNECT_DEADLINE_MS } from "../attempt/exchange.ts";
import { reserveStarts } from "../store/reserve-starts.ts";
import { recordResults, type AttemptResult, type RecordedResult } from "../store/record-results.ts";
import { ResultWriter } from "../attempt/result-writer.ts";
import { Scheduler } from "./scheduler.ts";
import { openSecrets } from "../attempt/open-secrets.ts";

/** Attempts stop while more results than this wait to be written. */
const MAX_UNWRITTEN = 1_000;

export interface DispatcherOptions {
  readonly bus: Pick<Bus, "clock" | "log" | "tracing">;
  /** The caller closes it after the dispatcher has stopped. */
  readonly pool: Pool;
  readonly box: SecretBox;
  readonly egress: Egress;
  readonly schedule: readonly RetryStep[];
  readonly concurrency: number;
  readonly perHost: number;
  readonly metrics: SenderMetrics;
  readonly onRecorded: (
    results: readonly AttemptResult[],
    recorded: readonly RecordedResult[],
  ) => void;
}

export interface Dispatcher {
  readonly scheduler: Pick<Scheduler, "offer" | "rooms" | "begin" | "wake" | "inFlight">;
  /** Gives running attempts `graceMs` to end, then their results `writeMs` to be written. */
  stop(graceMs: number, writeMs: number): Promise<void>;
}

/** Wires claims, the guarded HTTP client and the result writer together. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { bus, pool, box, egress, concurrency, metrics } = options;
  const { clock, log, tracing } = bus;
  const client = createGuardedAgent({ ...egress, connectTimeoutMs: CONNECT_DEADLINE_MS });
  const context: AttemptContext = {
    client,
    clock,
    tracing,
    delaysMs: options.schedule.map((step) => step.delayMs),
  };
  const secrets = { pool, box, clock };
  const writer = new ResultWriter({
    write: (results) => recordResults(pool, results),
    onRecorded: (results, recorded) => {
      metrics.recorded(results, recorded);
      options.onRecorded(results, recorded);
      scheduler.notify();
    },
    log,
  });
  const scheduler: Scheduler = new Scheduler({
    concurrency,
    perHost: options.perHost,
    claim: (ids) => claimDeliveries(pool, ids, clock.now()),
    fetchDue: (lines, limit) => dueDeliveries(pool, lines, { now: clock.now(), limit }),
    reserve: (endpointKey, starts) => reserveStarts(pool, endpointKey, starts),
    start: async (delivery) =>
      startAttempt(context, delivery, await openSecrets(secrets, delivery)),
    onResult: (result) => writer.add(result),
    giveBack: (deliveries) => giveBack(pool, deliveries, clock.now()),
    putBack: (deliveries) => putBack(pool, deliveries),
    isCongested: () => writer.waiting > MAX_UNWRITTEN,
    log,
  });
  return {
    scheduler,
    stop: async (graceMs, writeMs) => {
      await scheduler.stop(graceMs);
      await writer.drain(writeMs);
      await client.destroy();
    },
  };
}
