import type { Pool } from "pg";
import { ensureAccountSecret } from "../../domain/webhook/store/account-secrets.ts";
import { FAN_OUT_CONSUMER as SERVICE } from "../../domain/webhook/store/delivery-targets.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  createPool,
  LOOKUPS_BY_KEY,
  PLANNED_ONCE,
  watchPool,
  type DividedPool,
} from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import { egressRules } from "../../platform/net/address-policy.ts";
import { createGuardedAgent } from "../attempt/guarded-connect.ts";
import { createSecretBox, parseSecretKeys, type SecretBox } from "../../platform/secret-box.ts";
import { startAttempt } from "../attempt/attempt.ts";
import { CONNECT_DEADLINE_MS } from "../attempt/exchange.ts";
import { ResultWriter } from "../attempt/result-writer.ts";
import type { WebhookSenderConfig } from "../config.ts";
import { createRetryTimers } from "../retry/retry-timers.ts";
import type { SenderMetrics } from "../sender-metrics.ts";
import {
  claimDeliveries,
  giveBack,
  putBack,
  type ClaimedDelivery,
} from "../store/claim-deliveries.ts";
import { dueDeliveries } from "../store/due-deliveries.ts";
import { recordResults } from "../store/record-results.ts";
import { reserveStarts } from "../store/reserve-starts.ts";
import { Scheduler } from "./scheduler.ts";

/** Attempts stop while more results than this wait to be written. */
const MAX_UNWRITTEN = 1_000;
/** One connection per concurrent statement: claims, results, due deliveries, starts, put-backs. */
const POOL_SIZE = 6;
/** Together with the consumers' stop these stay within the 20 s drain. */
const ATTEMPTS_GRACE_MS = 7_000;
const RESULTS_GRACE_MS = 2_000;

/** Connections whose plans do not depend on statistics, and that never wait behind a fan-out. */
export function createDispatchPool(config: WebhookSenderConfig, log: Logger): DividedPool {
  const { DATABASE_URL: url, DATABASE_ROLE: role, DATABASE_POOL_SIZE } = config;
  const size = Math.min(POOL_SIZE, DATABASE_POOL_SIZE);
  return createPool({ url, role, service: SERVICE, size, settings: LOOKUPS_BY_KEY, log });
}

/**
 * Connections that keep the plan of the fan-out. To Postgres a plan for the few events of a batch looks so much cheaper that it
 * makes one for each, which takes longer than the fan-out itself.
 */
export function createFanOutPool(config: WebhookSenderConfig, log: Logger): DividedPool {
  const { DATABASE_URL: url, DATABASE_ROLE: role, DATABASE_POOL_SIZE: size } = config;
  return createPool({ url, role, service: SERVICE, size, settings: PLANNED_ONCE, log });
}

/** Wires claims, the guarded HTTP client, the result writer and the retry timers together. */
export function createDispatcher(bus: Bus, config: WebhookSenderConfig, metrics: SenderMetrics) {
  const { clock, log, tracing } = bus;
  const schedule = config.WEBHOOK_RETRY_SCHEDULE;
  const pool = createDispatchPool(config, log);
  watchPool(bus.metrics, "dispatch", pool);
  const client = createGuardedAgent({
    ...egressRules(config),
    proxyUrl: config.WEBHOOK_PROXY_URL,
    connectTimeoutMs: CONNECT_DEADLINE_MS,
  });
  const context = { client, clock, tracing, delaysMs: schedule.map((step) => step.delayMs) };
  const secrets = { pool, clock, box: createSecretBox(parseSecretKeys(config.SECRETS_KEY)) };
  const timers = createRetryTimers(bus, schedule);
  const writer = new ResultWriter({
    write: (results) => recordResults(pool, results),
    onRecorded: (results, recorded) => {
      metrics.recorded(results, recorded);
      timers.set(results, recorded);
      scheduler.notify();
    },
    log,
  });
  const scheduler: Scheduler = new Scheduler({
    concurrency: config.WEBHOOK_CONCURRENCY,
    perHost: config.WEBHOOK_HOST_CONCURRENCY,
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
    /** Gives running attempts some time to end, then their results some to be written. */
    stop: async () => {
      await scheduler.stop(ATTEMPTS_GRACE_MS);
      await writer.drain(RESULTS_GRACE_MS);
      await client.destroy();
    },
    /** Once nothing is woken any more. */
    close: async () => {
      await timers.drain();
      await pool.end();
    },
  };
}

/** The secrets that sign a delivery now, the current one first; creates that of the account where there is none yet. */
async function openSecrets(
  { pool, box, clock }: { readonly pool: Pool; readonly box: SecretBox; readonly clock: Clock },
  delivery: ClaimedDelivery,
): Promise<readonly string[]> {
  const { secret_owner: owner, account_id: accountId } = delivery;
  if (owner === null) {
    return [await ensureAccountSecret(pool, { accountId, box, now: clock.now() })];
  }
  const stored = [
    { bytes: delivery.signing_secret, keyId: delivery.secret_key_id },
    { bytes: delivery.previous_secret, keyId: delivery.previous_secret_key_id },
  ];
  return stored.flatMap(({ bytes, keyId }) =>
    bytes === null || keyId === null ? [] : [box.open({ bytes, keyId }, owner)],
  );
}
