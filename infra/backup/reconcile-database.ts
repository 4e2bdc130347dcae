import type { BusAccess } from "../../services/platform/command-line.ts";
import { createCodec } from "../../services/messages/codec.ts";
import { requireReconciled } from "../../services/messages/bus/restore-guard.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { reconcile, type Reconciled } from "./reconcile.ts";

const NAME = "backup";
const STATEMENT_TIMEOUT_MS = 600_000;

export interface ReconciledPlace {
  readonly databaseUrl: string;
  readonly bus: BusAccess;
}

/** `reconcile` with connections of its own. The database must be migrated, the services stopped. */
export async function reconcileDatabase(
  { databaseUrl, bus }: ReconciledPlace,
  topicPrefix: string,
): Promise<Reconciled> {
  const log = createLogger(NAME, "error");
  const codec = await createCodec({
    registry: bus.registry,
    topicPrefix,
    signal: new AbortController().signal,
    log,
    clock: systemClock,
  });
  const kafka = createKafka({ ...bus, clientId: NAME, log });
  const pool = createPool({
    url: databaseUrl,
    service: NAME,
    size: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    log,
  });
  try {
    return await reconcile({ pool, kafka, codec, topicPrefix });
  } finally {
    await pool.end();
  }
}

/**
 * The check that every service makes at startup, made before any of them starts.
 * @throws `invalid_state` where the database lacks effects and must be reconciled
 */
export async function requireReconciledAt(
  { databaseUrl, bus }: ReconciledPlace,
  topicPrefix: string,
): Promise<void> {
  const log = createLogger(NAME, "error");
  const kafka = createKafka({ ...bus, clientId: NAME, log });
  const pool = createPool({ url: databaseUrl, service: NAME, size: 1, log });
  try {
    await requireReconciled({ db: pool, kafka, topicPrefix });
  } catch (error) {
    // The broker does not answer yet: the services check again.
    if (!(error instanceof AppError) || !error.retryable) throw error;
  } finally {
    await pool.end();
  }
}
