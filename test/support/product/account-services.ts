import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import {
  authenticateAccount,
  authorizeAccount,
  createHolderLookup,
  createKeyUsage,
  type KeyUsage,
} from "../../../services/api/access/account-access.ts";
import type { AccountPrincipal } from "../../../services/api/access/customer-routes.ts";
import { apiKeyRoutes } from "../../../services/api/keys/routes.ts";
import { recordKeyUses } from "../../../services/domain/account/store/api-keys.ts";
import { systemClock, type Clock } from "../../../services/platform/clock.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { createHttpApp } from "../../../services/platform/http/routing/http-app.ts";
import type { HttpAppOptions } from "../../../services/platform/http/routing/http-app-options.ts";
import { startHttpServer } from "../../../services/platform/http/routing/http-server.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { createSecretBox } from "../../../services/platform/secret-box.ts";
import type { DeskRoute, OperatorPrincipal } from "../../../services/desk/access/desk-routes.ts";
import { deskAccess } from "../../../services/desk/access/desk-access.ts";
import { accountRoutes } from "../../../services/desk/accounts/routes.ts";
import { auditRoutes } from "../../../services/desk/audit/routes.ts";
import { operatorRoutes } from "../../../services/desk/operators/routes.ts";
import { sessionRoutes, startSessions } from "../../../services/desk/session/routes.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { openPoolAt } from "../stack/test-pool.ts";

/** A listener with its own connection pool, like a separate process. */
export interface AccountService {
  readonly url: string;
  readonly pool: Pool;
}

const log = createLogger("test", "silent");
const CONNECTIONS = 5;
const box = createSecretBox([randomBytes(32)]);

export interface KeysApi extends AccountService {
  readonly usage: KeyUsage;
  stop(): Promise<void>;
}

/** The API's routes for keys, and no others. */
export async function startKeysApi(databaseUrl: string): Promise<KeysApi> {
  const pool = openPoolAt(databaseUrl, { size: CONNECTIONS });
  const usage = createKeyUsage({
    clock: systemClock,
    log,
    write: (uses) => recordKeyUses(pool, uses),
  });
  const findHolder = createHolderLookup(pool);
  const service = await serve<AccountPrincipal>(pool, {
    routes: apiKeyRoutes({ bus: { clock: systemClock } }),
    protectedPrefix: "/v2",
    authenticate: (credential) => authenticateAccount({ findHolder, usage }, credential),
    authorize: authorizeAccount,
  });
  const stop = endAfterTests(async () => {
    await usage.stop();
    await service.stop();
  });
  return { ...service, usage, stop };
}

export interface AccountDeskOptions {
  readonly clock?: Clock;
  readonly publicUrl?: string | undefined;
}

/** The desk's routes for who works there and for accounts. */
export async function startAccountDesk(
  databaseUrl: string,
  { clock = systemClock, publicUrl }: AccountDeskOptions = {},
): Promise<AccountService> {
  const routesOf = (pool: DividedPool): DeskRoute[] => {
    const bus = { clock };
    const sessions = startSessions({ db: pool, clock, log });
    endAfterTests(() => sessions.stop());
    return [
      ...sessionRoutes({ bus, sessions }),
      ...operatorRoutes({ bus }),
      ...accountRoutes({ box, bus }),
      ...auditRoutes(),
    ];
  };
  return startDeskRoutes(databaseUrl, routesOf, { clock, publicUrl });
}

/** Some of the desk's routes, and no others. */
export async function startDeskRoutes(
  databaseUrl: string,
  routesOf: (pool: DividedPool) => DeskRoute[],
  { clock = systemClock, publicUrl }: AccountDeskOptions = {},
): Promise<AccountService> {
  const pool = openPoolAt(databaseUrl, { size: CONNECTIONS });
  return serve<OperatorPrincipal>(pool, {
    routes: routesOf(pool),
    protectedPrefix: "/desk",
    ...deskAccess({ pool, clock, publicUrl }),
  });
}

type Served<P> = Omit<HttpAppOptions<P>, "log" | "readiness" | "metrics" | "pool">;

async function serve<P>(
  pool: DividedPool,
  served: Served<P>,
): Promise<AccountService & { stop(): Promise<void> }> {
  const app = createHttpApp<P>({
    ...served,
    log,
    pool,
    readiness: () => Promise.resolve([]),
    metrics: createMetrics("test"),
  });
  const server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
  const stop = endAfterTests(() => server.stop());
  return { pool, url: `http://127.0.0.1:${server.port}`, stop };
}
