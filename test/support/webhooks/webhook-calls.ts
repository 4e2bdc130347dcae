import { authorizeAccount } from "../../../services/api/access/account-access.ts";
import type { AccountPrincipal } from "../../../services/api/access/customer-routes.ts";
import { webhookDeliveryRoutes } from "../../../services/api/webhooks/deliveries/routes.ts";
import {
  webhookEndpointActionRoutes,
  webhookEndpointRoutes,
} from "../../../services/api/webhooks/endpoints/routes.ts";
import { webhookRecoveryRoutes } from "../../../services/api/webhooks/recoveries/routes.ts";
import { openBus } from "../../../services/messages/bus/bus.ts";
import { createHttpApp } from "../../../services/platform/http/routing/http-app.ts";
import { startHttpServer } from "../../../services/platform/http/routing/http-server.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { createAddressPolicy } from "../../../services/platform/net/address-policy.ts";
import { createUrlCheck } from "../../../services/api/webhooks/url-check.ts";
import { readConfig } from "../../../services/webhook-sender/config.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import type { WebhookStack } from "./webhook-stack.ts";
import { openPoolAt } from "../stack/test-pool.ts";

export interface WebhookApiOptions {
  readonly allowCidrs: readonly string[];
  readonly allowHttp: boolean;
  /** Events that an account recovers in 24 hours; any number unless given. */
  readonly maxRecoveredEvents?: number;
}

export interface RunningApi {
  readonly url: string;
}

/** The API's webhook routes on a stack's database. Account ids serve as keys. */
export async function startWebhookApi(
  { env, box }: WebhookStack,
  { allowCidrs, allowHttp, maxRecoveredEvents = 0 }: WebhookApiOptions,
): Promise<RunningApi> {
  const log = createLogger("test", "silent");
  const config = readConfig({ ...env, DATABASE_ROLE: "porting_api" });
  const { signal } = new AbortController();
  const pool = openPoolAt(config.DATABASE_URL, { role: "porting_api" });
  const bus = await openBus({ config, service: "test-api", log, signal, pool });
  endAfterTests(() => bus.close());
  const limitRepublished = () => Promise.resolve();
  const checkUrl = createUrlCheck({ policy: createAddressPolicy(allowCidrs), allowHttp });
  const app = createHttpApp<AccountPrincipal>({
    routes: [
      ...webhookEndpointRoutes({ bus, box, checkUrl }),
      ...webhookEndpointActionRoutes({ bus, box }),
      ...webhookRecoveryRoutes({ bus, maxRecoveredEvents }),
      ...webhookDeliveryRoutes({ bus, limitRepublished }),
    ],
    protectedPrefix: "/v2",
    pool,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    authenticate: (key) =>
      Promise.resolve(key === null ? null : { accountId: key, keyId: key, suspended: false }),
    authorize: authorizeAccount,
  });
  const server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
  endAfterTests(() => server.stop());
  return { url: `http://127.0.0.1:${server.port}` };
}
