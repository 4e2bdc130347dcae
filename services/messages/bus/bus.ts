import type { Pool } from "pg";
import { startDatabaseClock, type DatabaseClock } from "../../platform/db/database-clock.ts";
import { createPool, watchPool, type DividedPool } from "../../platform/db/pool.ts";
import { createReadiness, startHealthServer } from "../../platform/health.ts";
import type { RunningConsumer } from "../../platform/kafka/consumer.ts";
import { createMetrics, type Metrics } from "../../platform/metrics.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import {
  createReadAttempts,
  Turns,
  type ReadAttempts,
} from "../../platform/kafka/first-batches.ts";
import { leavingHalf, type RunApart } from "../../platform/kafka/apply-together.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { countDroppedSpans } from "../../platform/tracing/tracing.ts";
import type { BusConfig } from "./bus-config.ts";
import { busChecks, joinedCheck, type HealthAddress } from "./bus-readiness.ts";
import { sealFor } from "./outgoing.ts";
import { openStream, type Stream, type StreamOptions } from "./stream.ts";
import { whenReconciled } from "./restore-guard.ts";

/** A service's connections to the database, Kafka and the schema registry. */
export interface Bus extends Stream {
  readonly pool: Pool;
  /** For the work of partitions that wait for locks. */
  readonly apart: RunApart;
  readonly seal: MessageSeal;
  /** With these a consumer gets past what kills whoever reads it. */
  readonly reading: { readonly attempts: ReadAttempts; readonly turns: Turns };
  readonly metrics: Metrics;
  /** Resolves once the database is known to lack no effects; checked only once. See `whenReconciled`. */
  reconciled(): Promise<void>;
  close(): Promise<void>;
}

/** For routes: what a request reads and writes goes through its own `db`, which may be an open transaction. */
export type RouteBus = Omit<Bus, "pool">;

interface BusOptions extends StreamOptions {
  readonly config: BusConfig;
  /** An existing pool of the service, which the service closes itself. */
  readonly pool?: DividedPool;
  /** Those of a health server that listens already. */
  readonly metrics?: Metrics;
  /** Needed by services that write or read secret topics. */
  readonly box?: SecretBox;
}

/**
 * Waits for the database's time, then for the schema registry, which every message needs, or for the ids that the
 * database keeps; connects to Kafka on first use.
 */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { service, log, signal, pool = openPool(options) } = options;
  const time = await timeOf(options, pool);
  const opened = openStream({ ...options, clock: time.clock, idStore: pool });
  const stream = await opened.catch(async (error: unknown) => {
    await time.stop();
    throw error;
  });
  const { kafka, producer, topicPrefix } = stream;
  const { metrics = createMetrics(service) } = options;
  countDroppedSpans(metrics, stream.tracing);
  watchPool(metrics, "main", pool);
  let reconciled: Promise<void> | null = null;
  return {
    ...stream,
    pool,
    apart: leavingHalf(pool.options.max),
    seal: sealFor(topicPrefix, options.box ?? null),
    reading: { attempts: createReadAttempts(pool), turns: new Turns() },
    metrics,
    reconciled: () =>
      (reconciled ??= whenReconciled({ db: pool, kafka, topicPrefix, log, signal })),
    close: async () => {
      await time.stop();
      await producer.stop();
      if (options.pool === undefined) await pool.end();
    },
  };
}

function openPool({ config, service, log }: BusOptions): DividedPool {
  const { DATABASE_URL: url, DATABASE_ROLE: role, DATABASE_POOL_SIZE: size } = config;
  return createPool({ url, role, service, size, log });
}

/** The clock that was passed in, or the database's. */
function timeOf({ clock, log, signal }: BusOptions, pool: DividedPool): Promise<DatabaseClock> {
  if (clock === undefined) return startDatabaseClock(pool, { log, signal });
  return Promise.resolve({ clock, stop: () => Promise.resolve() });
}

interface ConsumingBusOptions extends BusOptions {
  readonly config: BusConfig & HealthAddress;
}

/** The bus of a service that has no other HTTP server than that of its health. */
interface ConsumingBus {
  readonly bus: Bus;
  /** It is ready once these consumers have joined their groups. */
  readonly waitsFor: (consumers: readonly RunningConsumer[]) => void;
  /** After the consumers have stopped; closes a pool that was passed in, too. */
  readonly close: () => Promise<void>;
}

/**
 * Listens first: the database, the registry and Kafka may be away for long, and a supervisor ends who does not answer. Then
 * waits for the bus, and until the database is known to lack no effects: nothing is done for one that was restored.
 * @throws `invalid_state` for that; a retryable error where it is aborted before it is known
 */
export async function openConsumingBus(options: ConsumingBusOptions): Promise<ConsumingBus> {
  const { config, service, log, pool = openPool(options) } = options;
  const metrics = createMetrics(service);
  let consumers: readonly RunningConsumer[] | null = null;
  const areJoined = () => consumers?.every((consumer) => consumer.isJoined()) === true;
  const checks = { ...busChecks({ pool }), ...joinedCheck(areJoined) };
  const health = await startHealthServer({
    host: config.LISTEN_HOST,
    port: config.HEALTH_PORT,
    readiness: createReadiness(checks, { log, metrics }),
    metrics,
  });
  const bus = await openBus({ ...options, pool, metrics }).catch(async (error: unknown) => {
    await health.stop();
    throw error;
  });
  const close = async (): Promise<void> => {
    await health.stop();
    await bus.close();
    await pool.end();
  };
  await bus.reconciled().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    bus,
    waitsFor: (joining) => {
      consumers = joining;
    },
    close,
  };
}
