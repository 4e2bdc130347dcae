import { ACCOUNT_ENTITIES } from "../domain/account/store/account-entities.ts";
import type { GainingCarrier } from "../domain/order/rules/loa-content.ts";
import { recordKeyUses } from "../domain/account/store/api-keys.ts";
import type { DocumentLinks } from "../domain/document/rules/document-link.ts";
import { createDocumentLinks } from "../domain/document/rules/document-link.ts";
import type { Bus } from "../messages/bus/bus.ts";
import { openBus } from "../messages/bus/bus.ts";
import { busChecks } from "../messages/bus/bus-readiness.ts";
import { guardRestored } from "../messages/bus/restore-guard.ts";
import { createDataSource } from "../platform/db/data-source.ts";
import type { DataSource } from "typeorm";
import { openFileStore } from "../platform/files/file-store-config.ts";
import { createReadiness } from "../platform/health.ts";
import { createHttpApp } from "../platform/http/routing/http-app.ts";
import { startHttpServer } from "../platform/http/routing/http-server.ts";
import type { Logger } from "../platform/logger.ts";
import { createAddressPolicy } from "../platform/net/address-policy.ts";
import type { CheckUrl } from "../platform/net/url-check.ts";
import { createUrlCheck } from "../platform/net/url-check.ts";
import type { JoiningPool } from "../platform/db/joining-pool.ts";
import { startRateLimits } from "../platform/rate-limit/start-rate-limits.ts";
import type { RateLimits } from "../platform/rate-limit/start-rate-limits.ts";
import { startIdempotency } from "../platform/idempotency/start-idempotency.ts";
import type { RunningService } from "../platform/run-service.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { accountAccess } from "./access/account-access.ts";
import { createHolderLookup } from "./access/authenticate-account.ts";
import type { ApiDeps } from "./api-deps.ts";
import { createOrderCreation } from "./orders/create-orders.ts";
import { API_DESCRIPTION } from "./openapi/api-description.ts";
import type { ApiConfig } from "./config.ts";
import { createKeyUsage } from "./access/key-usage.ts";
import type { LoaPrinter } from "./loa/loa-printer.ts";
import { createLoaPrinter } from "./loa/loa-printer.ts";
import { apiKeyRoutes } from "./keys/routes.ts";
import { startEventStreams } from "./events/stream/start-event-streams.ts";
import type { EventStreams } from "./events/stream/start-event-streams.ts";
import type { AccountPrincipal } from "./access/principal.ts";
import type { CarrierDirectory } from "../domain/carrier/rules/carrier-directory.ts";
import { watchCarriers } from "../domain/carrier/watch-carriers.ts";
import { documentRoutes } from "./documents/routes.ts";
import { eventStreamRoutes } from "./events/stream/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { loaRoutes } from "./loa/routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { orderNoteRoutes } from "./orders/note-routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { portabilityCheckRoutes } from "./portability/routes.ts";
import { portingExceptionRoutes } from "./exceptions/routes.ts";
import { portingOrderRoutes } from "./orders/routes.ts";
import { requirementRoutes } from "./requirements/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/deliveries/routes.ts";
import { webhookEndpointActionRoutes } from "./webhooks/endpoints/action-routes.ts";
import { webhookEndpointRoutes } from "./webhooks/endpoints/routes.ts";
import { webhookRecoveryRoutes } from "./webhooks/recoveries/routes.ts";
import { startSweep } from "./documents/sweep-documents.ts";
import type { CustomerRoute } from "./access/customer-routes.ts";

const SERVICE = "api";
const HOUR_MS = 3_600_000;

export interface ApiOptions {
  readonly config: ApiConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export async function startApi(options: ApiOptions): Promise<RunningService> {
  const { config, log } = options;
  const connection = { url: config.DATABASE_URL, role: config.DATABASE_ROLE, service: SERVICE };
  const size = config.DATABASE_POOL_SIZE;
  const entities = ACCOUNT_ENTITIES;
  const { dataSource, pool } = await createDataSource({ ...connection, size, log, entities });
  const bus = await openBus({ ...options, service: SERVICE, pool });
  await guardRestored(bus.reconciled(), log);
  const { clock, metrics } = bus;
  const checkUrl = urlCheckOf(config);
  const keys = parseSecretKeys(config.SECRETS_KEY);
  const box = createSecretBox(keys);
  const links = createDocumentLinks(keys);
  const files = await openFileStore(config);
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const orders = orderDeps({ ...carriers, bus, pool, box, files, checkUrl, config });
  const usage = createKeyUsage({ clock, log, write: (uses) => recordKeyUses(pool, uses) });
  const idempotency = openIdempotency(bus, pool);
  const limits = openRateLimits(bus, config);
  const live = startEventStreams({ db: pool, connection, log });
  const printer = createLoaPrinter();
  const app = createHttpApp({
    routes: apiRoutes({ ...orders, dataSource, checkUrl, live, links, printer, config }),
    uploads: files,
    protectedPrefix: "/v2",
    description: API_DESCRIPTION,
    log,
    metrics,
    readiness: createReadiness(busChecks(bus), log),
    ...accountAccess({ findHolder: createHolderLookup(pool), usage, limits }),
    idempotency,
    ...whereFrom(config),
  });
  const sweep = startSweep({ pool, files, clock, log });
  const server = await startHttpServer(app, {
    host: config.LISTEN_HOST,
    port: config.API_PORT,
    log,
  });
  return {
    stop: async () => {
      const parts = [live, server, printer, sweep, idempotency, limits, usage, carriers];
      for (const part of parts) await part.stop();
      await bus.close();
      await pool.end();
    },
  };
}

/** Where customers and their web pages are when they call. */
function whereFrom({ PUBLIC_API_URL: publicUrl, CORS_ORIGINS: corsOrigins }: ApiConfig) {
  return publicUrl === undefined ? { corsOrigins } : { corsOrigins, publicUrl };
}

function urlCheckOf(config: ApiConfig): CheckUrl {
  const policy = createAddressPolicy(config.WEBHOOK_ALLOW_CIDRS);
  return createUrlCheck({ policy, allowHttp: config.WEBHOOK_ALLOW_HTTP });
}

interface OrderParts extends Pick<ApiDeps, "bus" | "box" | "files"> {
  readonly pool: JoiningPool;
  readonly directory: CarrierDirectory;
  readonly checkUrl: CheckUrl;
  readonly config: ApiConfig;
}

function orderDeps({ bus, pool, box, files, directory, checkUrl, config }: OrderParts): ApiDeps {
  return {
    bus,
    box,
    files,
    createOrders: createOrderCreation(pool, bus),
    defaultProvider: config.DEFAULT_PROVIDER,
    directory,
    cancelCutoffMs: config.CANCEL_CUTOFF_HOURS * HOUR_MS,
    checkWebhookUrl: (url) => checkUrl(url, "#/webhook_url"),
  };
}

function gainingCarrierOf(config: ApiConfig): GainingCarrier {
  return { name: config.LOA_CARRIER_NAME, respOrgId: config.LOA_RESPORG_ID ?? null };
}

function openIdempotency({ clock, log, hint }: Bus, pool: JoiningPool) {
  const onCommit = (): void => hint.poke();
  const ownerOf = ({ accountId }: AccountPrincipal): string => `account:${accountId}`;
  return startIdempotency({ pool, clock, log, onCommit, ownerOf });
}

function openRateLimits({ pool, clock, log }: Bus, config: ApiConfig): RateLimits {
  return startRateLimits({
    db: pool,
    clock,
    log,
    requests: { perMinute: config.RATE_LIMIT_PER_MINUTE, burst: config.RATE_LIMIT_BURST },
    failuresPerMinute: config.AUTH_FAILURES_PER_MINUTE,
  });
}

interface RouteParts extends ApiDeps {
  readonly dataSource: DataSource;
  readonly checkUrl: CheckUrl;
  readonly live: EventStreams;
  readonly links: DocumentLinks;
  readonly printer: LoaPrinter;
  readonly config: ApiConfig;
}

function apiRoutes(parts: RouteParts): CustomerRoute[] {
  const { bus, box, files, links, dataSource, checkUrl, live } = parts;
  const { pool, clock } = bus;
  return [
    ...apiKeyRoutes({ dataSource, pool, clock }),
    ...portingOrderRoutes(parts),
    ...requirementRoutes(parts),
    ...loaRoutes({ ...parts, carrier: gainingCarrierOf(parts.config) }),
    ...documentRoutes({ pool, clock, files, links }),
    ...orderNoteRoutes({ bus }),
    ...portingExceptionRoutes(),
    ...numberRoutes(parts),
    ...portOutRoutes(parts),
    ...portabilityCheckRoutes(parts),
    ...eventRoutes({ pool }),
    ...eventStreamRoutes({ pool, ...live }),
    ...webhookEndpointRoutes({ pool, clock, box, checkUrl }),
    ...webhookEndpointActionRoutes({ bus, box }),
    ...webhookRecoveryRoutes({ bus }),
    ...webhookDeliveryRoutes({ bus }),
  ];
}
