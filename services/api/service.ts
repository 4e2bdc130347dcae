import { recordKeyUses } from "../domain/account/store/api-keys.ts";
import { watchCarriers } from "../domain/carrier/read-carriers.ts";
import { expirySpans } from "../domain/deadline/deadline.ts";
import { createDocumentLinks } from "../domain/document/rules/document-link.ts";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import { openBus, type Bus } from "../messages/bus/bus.ts";
import { guardRestored } from "../messages/bus/restore-guard.ts";
import { SENT_EVENT_TYPES } from "../messages/events.ts";
import { openLaggingReads } from "../platform/db/lagging-reads.ts";
import {
  createAccessPool,
  createPool,
  REQUEST_LOCK_TIMEOUT_MS,
  watchPool,
  type DividedPool,
} from "../platform/db/pool.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { openFileStore } from "../platform/files/file-store.ts";
import { createReadiness, startMetricsListener } from "../platform/health.ts";
import { firstOf, openPages, openSite, PAGES_DIR } from "../platform/http/pages/built-pages.ts";
import { createHttpApp } from "../platform/http/routing/http-app.ts";
import { Departure, startHttpServer } from "../platform/http/routing/http-server.ts";
import { startIdempotency } from "../platform/idempotency/start-idempotency.ts";
import type { Logger } from "../platform/logger.ts";
import { egressRules } from "../platform/net/address-policy.ts";
import type { ServedDocument } from "../platform/openapi/describe-api.ts";
import {
  limitByAddress,
  limitByOwner,
  startRateLimits,
  type RateLimits,
} from "../platform/rate-limit/start-rate-limits.ts";
import type { RunningService } from "../platform/run-service.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { accountAccess, createHolderLookup, createKeyUsage } from "./access/account-access.ts";
import { keysOwnedBy } from "./access/customer-routes.ts";
import { createHeavyRequests, createRequestSlots } from "./access/request-slots.ts";
import type { ApiDeps } from "./api-deps.ts";
import { describeBus, type BusNames } from "./asyncapi/describe-bus.ts";
import { letterWarnings, republishedPerMinute, type ApiConfig } from "./config.ts";
import { watchDisk } from "./documents/disk-metrics.ts";
import { startSweep } from "./documents/sweep-documents.ts";
import { startEventStreams } from "./events/stream/event-streams.ts";
import { createLoaPrinter } from "./loa/loa-printer.ts";
import { API_DESCRIPTION } from "./openapi/api-description.ts";
import { webhookJsonSchema } from "./openapi/webhook-schemas.ts";
import { createOrderCreation } from "./orders/store/create-orders.ts";
import { createCookieLookup } from "./portal/portal-access.ts";
import { startForgettingSessions } from "./portal/store.ts";
import { apiRoutes } from "./routes.ts";
import { createUrlCheck } from "./webhooks/url-check.ts";

const SERVICE = "api";
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;
/** A client waits so long for a frozen replica, once, before the primary answers. */
const READ_MS = 3_000;

interface ApiOptions {
  readonly config: ApiConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startApi(options: ApiOptions): Promise<RunningService> {
  const { config, log } = options;
  for (const warning of letterWarnings(config)) log.warn(warning);
  const connection = { url: config.DATABASE_URL, role: config.DATABASE_ROLE, service: SERVICE };
  const size = config.DATABASE_POOL_SIZE;
  const pool = createPool({ ...connection, size, log, lockTimeoutMs: REQUEST_LOCK_TIMEOUT_MS });
  const bus = await openBus({ ...options, service: SERVICE, pool });
  await guardRestored(bus.reconciled(), log);
  const keys = parseSecretKeys(config.SECRETS_KEY);
  const files = await openFileStore(config);
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const live = startEventStreams({ db: pool, connection, log });
  const replica = { ...connection, size, patienceMs: READ_MS };
  const reads = openLaggingReads({ ...bus, config, primary: pool, pool: replica });
  const printer = createLoaPrinter();
  const accessPool = createAccessPool({ ...connection, log });
  watchPool(bus.metrics, "access", accessPool);
  watchDisk(bus.metrics, "documents", config.DOCUMENTS_DIR);
  const limits = openRateLimits({ ...bus, pool: accessPool }, config);
  const deps: ApiDeps = {
    ...rulesOf(config),
    bus,
    reads,
    files,
    live,
    printer,
    heavy: createHeavyRequests(config.ACCOUNT_CONCURRENCY),
    box: createSecretBox(keys),
    links: createDocumentLinks(keys),
    createOrders: createOrderCreation(pool, bus, {
      drafts: config.MAX_DRAFTS,
      openNumbers: config.MAX_OPEN_NUMBERS,
      discardedNumbers: config.MAX_DISCARDED_NUMBERS,
    }),
    directory: carriers.directory,
    providers: carriers.providers,
    terms: carriers.terms,
    limitFailures: (address) => limits.refused(address),
    limitOpenings: limitOpenings(accessPool, config),
    limitRepublished: limitRepublished(accessPool, config),
    maxPortalLinks: config.MAX_PORTAL_LINKS,
    maxRecoveredEvents: config.MAX_RECOVERED_EVENTS,
    maxUploadedBytes: config.MAX_UPLOADED_MIB * MIB,
  };
  const http = await openHttp(deps, { pool, accessPool, limits, config });
  const sweep = startSweep({
    ...{ pool, files, clock: bus.clock, log },
    unusedMs: deps.expirySpans.draft_expiry,
  });
  const forgetting = startForgettingSessions({ pool, clock: bus.clock, log });
  return {
    stop: async () => {
      await http.leave();
      for (const part of [live, http, reads, limits, printer, sweep, forgetting, carriers])
        await part.stop();
      await bus.close();
      await Promise.all([pool.end(), accessPool.end()]);
    },
  };
}

/** The business rules set by configuration. */
function rulesOf(config: ApiConfig) {
  return {
    defaultProvider: config.DEFAULT_PROVIDER,
    cancelCutoffMs: config.CANCEL_CUTOFF_HOURS * HOUR_MS,
    changeCutoffMs: config.CHANGE_CUTOFF_HOURS * HOUR_MS,
    expirySpans: expirySpans(config),
    carrier: { name: config.LOA_CARRIER_NAME, respOrgId: config.LOA_RESPORG_ID ?? null },
    checkUrl: createUrlCheck(egressRules(config)),
  };
}

interface HttpParts {
  readonly config: ApiConfig;
  readonly pool: DividedPool;
  readonly accessPool: DividedPool;
  readonly limits: RateLimits;
}

/** The HTTP server with authentication, rate limits and idempotency in front of its routes. */
async function openHttp(deps: ApiDeps, { config, pool, accessPool, limits }: HttpParts) {
  const { bus, files, box } = deps;
  const { clock, log, metrics, tracing } = bus;
  const usage = createKeyUsage({ clock, log, write: (uses) => recordKeyUses(pool, uses) });
  const keyed = { pool, clock, log, box, ownerOf: keysOwnedBy };
  const idempotency = await startIdempotency(keyed);
  const { PUBLIC_API_URL: publicUrl, CORS_ORIGINS: corsOrigins } = config;
  const departure = new Departure();
  const checks = { ...busChecks({ pool: accessPool }), ...departure.checks };
  const readiness = createReadiness(checks, { log, metrics });
  const app = createHttpApp({
    routes: apiRoutes(deps),
    uploads: files,
    protectedPrefix: "/v2",
    description: {
      ...API_DESCRIPTION,
      documents: servedDocuments(bus),
      limitsAddresses: config.AUTH_FAILURES_PER_MINUTE > 0,
    },
    log,
    metrics,
    tracing,
    servesMetrics: config.METRICS_PUBLIC,
    idempotency,
    corsOrigins,
    publicUrl,
    readiness,
    pool,
    slots: createRequestSlots(config.ACCOUNT_CONCURRENCY),
    pages: firstOf([
      openPages({ folder: `${PAGES_DIR}/portal`, name: "portal", base: "/portal/" }),
      openSite({ folder: `${PAGES_DIR}/docs`, base: "/docs/" }),
    ]),
    ...accountAccess({
      ...{ usage, limits, publicUrl },
      findHolder: createHolderLookup(accessPool),
      findCookieHolder: createCookieLookup(accessPool, clock),
    }),
  });
  const server = await startHttpServer(app, {
    host: config.LISTEN_HOST,
    port: config.API_PORT,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    log,
    metrics,
  });
  const own = await startMetricsListener(config, { readiness, metrics, log });
  return {
    leave: () => departure.leave(server),
    stop: async () => {
      for (const part of [server, own, idempotency, usage]) await part.stop();
    },
  };
}

const OPENINGS_PER_MINUTE = 60;

/** Of portal links, each of which writes a row of the audit log; per address. */
function limitOpenings(db: Queryable, { AUTH_FAILURES_PER_MINUTE: failures }: ApiConfig) {
  return limitByAddress(db, {
    kind: "portal-opening",
    // Off where addresses are not limited, as behind a proxy whose address all have.
    perMinute: failures === 0 ? 0 : OPENINGS_PER_MINUTE,
    what: "openings of portal links a minute",
  });
}

function limitRepublished(db: Queryable, config: ApiConfig) {
  const perMinute = republishedPerMinute(config);
  const burst = perMinute * 60;
  return limitByOwner(db, {
    ...{ kind: "republish", perMinute, burst },
    refusal: `An account may republish ${perMinute} events a minute, ${burst.toLocaleString("en")} of them at once. A recovery of an endpoint sends many.`,
  });
}

function openRateLimits({ pool: db, clock, log }: Bus, config: ApiConfig) {
  const requests = { perMinute: config.RATE_LIMIT_PER_MINUTE, burst: config.RATE_LIMIT_BURST };
  const failuresPerMinute = config.AUTH_FAILURES_PER_MINUTE;
  return startRateLimits({ db, clock, log, requests, failuresPerMinute });
}

/** What the API serves for programs beside its own description: of the topics, and of each webhook's body. */
function servedDocuments({ topicPrefix }: BusNames): ServedDocument[] {
  return [
    { path: "/asyncapi.json", content: () => describeBus({ topicPrefix }) },
    ...SENT_EVENT_TYPES.map((type) => ({
      path: `/schemas/webhooks/${type}.json`,
      content: () => webhookJsonSchema(type),
    })),
  ];
}
