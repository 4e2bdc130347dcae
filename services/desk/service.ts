import { watchCarriers } from "../domain/carrier/read-carriers.ts";
import { expirySpans } from "../domain/deadline/deadline.ts";
import { openBus, type Bus } from "../messages/bus/bus.ts";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import { guardRestored } from "../messages/bus/restore-guard.ts";
import {
  createAccessPool,
  createPool,
  REQUEST_LOCK_TIMEOUT_MS,
  watchPool,
  type DividedPool,
} from "../platform/db/pool.ts";
import { openLaggingReads } from "../platform/db/lagging-reads.ts";
import { Departure, startHttpServer } from "../platform/http/routing/http-server.ts";
import { openFileStore } from "../platform/files/file-store.ts";
import { createReadiness, startMetricsListener } from "../platform/health.ts";
import { firstOf, openPages, openSite, PAGES_DIR } from "../platform/http/pages/built-pages.ts";
import { createHttpApp } from "../platform/http/routing/http-app.ts";
import { startIdempotency } from "../platform/idempotency/start-idempotency.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { deskAccess, readmitOperator } from "./access/desk-access.ts";
import type { OperatorPrincipal } from "./access/desk-routes.ts";
import type { DeskConfig } from "./config.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { DESK_DESCRIPTION, deskRoutes, sandboxRoutes } from "./routes.ts";
import { createPageDrawer } from "./documents/page-drawer.ts";
import { HealthReader, startHealthSampler } from "./health/health-reader.ts";
import { QueueCounts } from "./reviews/queue-counts.ts";
import { startSessions } from "./session/routes.ts";
import { ChangeWatch, OpenListeners, type LiveHints } from "./stream/live-hints.ts";

const SERVICE = "desk";
/** For statistics alone, each in six statements, which may take as long as any. */
const READ_CONNECTIONS = 4;
const READ_MS = 10_000;

export interface DeskOptions {
  readonly config: DeskConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startDesk(options: DeskOptions): Promise<RunningService> {
  const { config, log } = options;
  const connection = { url: config.DATABASE_URL, role: config.DATABASE_ROLE, service: SERVICE };
  const size = config.DATABASE_POOL_SIZE;
  const pool = createPool({ ...connection, size, log, lockTimeoutMs: REQUEST_LOCK_TIMEOUT_MS });
  const box = createSecretBox(parseSecretKeys(config.SECRETS_KEY));
  const bus = await openBus({ ...options, service: SERVICE, pool, box });
  await guardRestored(bus.reconciled(), log);
  const files = await openFileStore(config);
  const queueCounts = new QueueCounts(pool);
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const { providers, directory } = carriers;
  const times = { claimLapseMs: config.CLAIM_LAPSE, expirySpans: expirySpans(config) };
  const sessions = startSessions({ db: pool, clock: bus.clock, log });
  const pages = createPageDrawer(files);
  const replica = { ...connection, size: READ_CONNECTIONS, patienceMs: READ_MS };
  const reads = openLaggingReads({ ...bus, config, primary: pool, pool: replica });
  const accessPool = createAccessPool({ ...connection, log });
  watchPool(bus.metrics, "access", accessPool);
  const live = openLiveHints(bus, accessPool, () => queueCounts.forget());
  const health = new HealthReader(bus, providers);
  const sampler = startHealthSampler(bus, health);
  const scansDocuments = config.CLAMD_URL !== undefined;
  const shown = { box, files, pages, scansDocuments, live, health, queueCounts };
  const deps = { bus, reads, providers, directory, sessions, ...shown, ...times };
  const front = await openFront(deps, { config, pool, accessPool });
  return {
    stop: async () => {
      const parts = [front, reads, pages, sampler, carriers, sessions];
      for (const part of parts) await part.stop();
      await bus.close();
      await Promise.all([pool.end(), accessPool.end()]);
    },
  };
}

function openLiveHints(
  { pool, clock, log }: Bus,
  accessPool: DividedPool,
  onChange: () => void,
): LiveHints {
  return {
    watch: new ChangeWatch({ db: pool, clock, log, onChange }),
    listeners: new OpenListeners(),
    readmit: (ctx) => readmitOperator({ pool: accessPool, clock }, ctx),
  };
}

interface FrontParts {
  readonly config: DeskConfig;
  readonly pool: DividedPool;
  readonly accessPool: DividedPool;
}

/**
 * The HTTP server of the desk's routes, with token authentication and idempotency. It is ready without Kafka, which no
 * request needs.
 */
async function openFront(deps: DeskDeps, { config, pool, accessPool }: FrontParts) {
  const { bus, box } = deps;
  const { clock, log, metrics, tracing } = bus;
  const onCommit = (): void => deps.queueCounts.forget();
  const ownerOf = ({ operatorId }: OperatorPrincipal): string => `operator:${operatorId}`;
  const idempotency = await startIdempotency({ pool, clock, log, box, onCommit, ownerOf });
  const { PUBLIC_DESK_URL: publicUrl, LISTEN_HOST: host, DESK_PORT: port } = config;
  const departure = new Departure();
  const checks = { ...busChecks({ pool: accessPool }), ...departure.checks };
  const readiness = createReadiness(checks, { log, metrics });
  const app = createHttpApp({
    routes: [...deskRoutes(deps), ...(config.SANDBOX ? sandboxRoutes(deps) : [])],
    protectedPrefix: "/desk",
    description: DESK_DESCRIPTION,
    log,
    metrics,
    tracing,
    servesMetrics: config.METRICS_PUBLIC,
    readiness,
    pool,
    ...deskAccess({ pool: accessPool, clock, publicUrl }),
    idempotency,
    pages: firstOf([
      openSite({ folder: `${PAGES_DIR}/docs`, base: "/docs/" }),
      openPages({ folder: `${PAGES_DIR}/desk`, name: "desk", base: "/" }),
    ]),
  });
  const { CONNECTIONS_PER_ADDRESS: connectionsPerAddress } = config;
  const server = await startHttpServer(app, { host, port, connectionsPerAddress, log, metrics });
  const own = await startMetricsListener(config, { readiness, metrics, log });
  return {
    stop: async () => {
      await departure.leave(server);
      deps.live.listeners.stop();
      for (const part of [server, own, idempotency]) await part.stop();
    },
  };
}
