import { setTimeout as pause } from "node:timers/promises";
import { query } from "../gather.ts";
import { otherThan, startProbe } from "../probe.ts";
import { none, type Scenario } from "../scenario.ts";

const TIMES = 30;
const EVERY_MS = 2_000;

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

export const lostConnections: Scenario = {
  name: "lost-connections",
  what: "pg_terminate_backend of every connection, every 2 s for 60 s",
  faults: ["F11"],
  promises: ["P1", "P2", "P9"],
  seconds: 120,
  isQuick: false,
  run: async ({ product, direct }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 50 });
    for (let n = 0; n < TIMES; n += 1) {
      await query(direct.databaseUrl, TERMINATE);
      await pause(EVERY_MS);
    }
    const result = await probe.stop();
    return [none("answers other than 200 and 503", otherThan(result, [200, 503]))];
  },
};
