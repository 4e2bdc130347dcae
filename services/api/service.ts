import { ACCOUNT_ENTITIES } from "../domain/account/account-entities.ts";
import { recordKeyUses } from "../domain/account/api-key-store.ts";
import { openBus } from "../messages/bus.ts";
import { busChecks } from "../messages/bus-readiness.ts";
import { createDataSource } from "../platform/db/data-source.ts";
import type { DataSource } from "typeorm";
import { createReadiness } from "../platform/health.ts";
import type { Route } from "../platform/http/route.ts";
import { createHttpApp } from "../platform/http/http-app.ts";
import { startHttpServer } from "../platform/http/http-server.ts";
import type { Logger } from "../platform/logger.ts";
import { createAddressPolicy } from "../platform/net/address-policy.ts";
import type { CheckUrl } from "../platform/net/url-check.ts";
import { createUrlCheck } from "../platform/net/url-check.ts";
import type { RunningService } from "../platform/run-service.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { authenticateAccount, authorizeAccount } from "./authenticate-account.ts";
import type { ApiDeps } from "./api-deps.ts";
import type { ApiConfig } from "./config.ts";
import { createKeyUsage } from "./key-usage.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { startEventStreams } from "./event-stream/start-event-streams.ts";
import type { EventStreams } from "./event-stream/start-event-streams.ts";
import type { AccountPrincipal } from "./principal.ts";
import { readCarrierDirectory } from "./read-carrier-directory.ts";
import { eventStreamRoutes } from "./routes/event-stream.ts";
import { eventRoutes } from "./routes/events.ts";
import { numberRoutes } from "./routes/numbers.ts";
import { orderNoteRoutes } from "./routes/order-notes.ts";
import { portingExceptionRoutes } from "./routes/porting-exceptions.ts";
import { portingOrderRoutes } from "./routes/porting-orders.ts";
import { requirementRoutes } from "./routes/requirements.ts";
import { webhookDeliveryRoutes } from "./routes/webhook-deliveries.ts";
import { webhookEndpointRoutes } from "./routes/webhook-endpoints.ts";

const SERVICE = "api";
const HOUR_MS = 3_600_000;

export interface ApiOptions {
  readonly config: ApiConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export async function startApi(options: ApiOptions): Promise<RunningService> {
  const { config, log } = options;
  const { dataSource, pool } = await createDataSource({
    url: config.DATABASE_URL,
    service: SERVICE,
    size: config.DATABASE_POOL_SIZE,
    log,
    entities: ACCOUNT_ENTITIES,
  });
  const bus = await openBus({ ...options, service: SERVICE, pool });
  const { clock, metrics } = bus;
  const checkUrl = createUrlCheck({
    policy: createAddressPolicy(config.WEBHOOK_ALLOW_CIDRS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
  });
  const box = createSecretBox(parseSecretKeys(config.SECRETS_KEY));
  const orders: ApiDeps = {
    bus,
    box,
    defaultProvider: config.DEFAULT_PROVIDER,
    directory: readCarrierDirectory(config.CARRIER_DIRECTORY),
    cancelCutoffMs: config.CANCEL_CUTOFF_HOURS * HOUR_MS,
    checkWebhookUrl: (url) => checkUrl(url, "#/webhook_url"),
  };
  const usage = createKeyUsage({ clock, log, write: (uses) => recordKeyUses(pool, uses) });
  const live = startEventStreams(pool, log);
  const app = createHttpApp({
    routes: apiRoutes({ ...orders, dataSource, checkUrl, live }),
    protectedPrefix: "/v2",
    log,
    metrics,
    readiness: createReadiness(busChecks(bus), log),
    authenticate: (credential) => authenticateAccount({ pool, usage }, credential),
    authorize: authorizeAccount,
    describe: (principal) => ({ account_id: principal.accountId }),
    ...(config.PUBLIC_API_URL === undefined ? {} : { publicUrl: config.PUBLIC_API_URL }),
  });
  const server = await startHttpServer(app, {
    host: config.LISTEN_HOST,
    port: config.API_PORT,
    log,
  });
  return {
    stop: async () => {
      await live.stop();
      await server.stop();
      await usage.stop();
      await bus.close();
      await pool.end();
    },
  };
}

interface RouteParts extends ApiDeps {
  readonly dataSource: DataSource;
  readonly checkUrl: CheckUrl;
  readonly live: EventStreams;
}

function apiRoutes(parts: RouteParts): Route<AccountPrincipal>[] {
  const { bus, box, dataSource, checkUrl, live } = parts;
  const { pool, clock } = bus;
  return [
    ...apiKeyRoutes({ dataSource, pool, clock }),
    ...portingOrderRoutes(parts),
    ...requirementRoutes(parts),
    ...orderNoteRoutes({ bus }),
    ...portingExceptionRoutes(),
    ...numberRoutes({ bus }),
    ...eventRoutes({ pool }),
    ...eventStreamRoutes({ pool, ...live }),
    ...webhookEndpointRoutes({ pool, clock, box, checkUrl }),
    ...webhookDeliveryRoutes({ bus }),
  ];
}
