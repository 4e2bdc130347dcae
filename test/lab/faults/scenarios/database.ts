import { setTimeout as pause } from "node:timers/promises";
import { withConnection } from "../../../../infra/local-stack/postgres.ts";
import { otherThan, startProbe } from "../ask.ts";
import { atMost, none, type Scenario } from "../scenario.ts";

const LOCKED_MS = 10_000;
const LONGEST_ANSWER_S = 7;
const LONGEST_OTHER_S = 2;

export const lockedOrders: Scenario = {
  name: "locked-orders",
  what: "ACCESS EXCLUSIVE lock on the table of orders for 10 s",
  faults: ["F12"],
  promises: ["P1", "P9", "P13"],
  seconds: 50,
  isQuick: true,
  env: { DATABASE_POOL_SIZE: "10" },
  run: async ({ product, direct }) => {
    const request = { key: product.apiKey, everyMs: 50 };
    const orders = startProbe(`${product.apiUrl}/v2/porting_orders?limit=1`, request);
    const endpoints = startProbe(`${product.apiUrl}/v2/webhook_endpoints?limit=1`, request);
    await withConnection(direct.databaseUrl, async (client) => {
      await client.query("begin");
      await client.query("lock table orders.porting_orders in access exclusive mode");
      await pause(LOCKED_MS);
      await client.query("rollback");
    });
    const [locked, others] = [await orders.stop(), await endpoints.stop()];
    return [
      atMost("longest wait for an order", locked.longestMs / 1_000, [LONGEST_ANSWER_S, "s"]),
      none("orders answered with other than 200 and 503", otherThan(locked, [200, 503])),
      atMost("longest wait for an endpoint", others.longestMs / 1_000, [LONGEST_OTHER_S, "s"]),
      none("endpoints answered with other than 200", otherThan(others, [200])),
    ];
  },
};

const TIMES = 2;
const READY_MS = 60_000;

/** In immediate mode Postgres drops every connection at once and recovers from its log at the next start. */
export const restartPostgres: Scenario = {
  name: "restart-postgres",
  what: "immediate-mode restart of Postgres, twice",
  faults: ["F10"],
  promises: ["P1", "P9"],
  seconds: 55,
  isQuick: true,
  recoveryMs: 5_000,
  run: async ({ place, recover }) => {
    const postgres = place.stack.part("postgres");
    for (let n = 0; n < TIMES; n += 1) {
      postgres.kill("SIGQUIT");
      await postgres.whenReady(READY_MS);
      await recover();
      await pause(2_000);
    }
    return [];
  },
};

const SLOW_MS = 30_000;

export const slowDatabase: Scenario = {
  name: "slow-database",
  what: "every answer of Postgres takes 200 ms ± 100 ms longer, for 30 s",
  faults: ["F13"],
  promises: ["P1", "P9", "P13"],
  seconds: 75,
  isQuick: false,
  run: async ({ place, product }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 50 });
    place.links.postgres.suffer({ latencyMs: 200, jitterMs: 100, directions: ["down"] });
    await pause(SLOW_MS);
    place.links.postgres.heal();
    const result = await probe.stop();
    return [
      none("answers other than 200 and 503", otherThan(result, [200, 503])),
      none("refusals without Retry-After", result.withoutRetryAfter),
    ];
  },
};
