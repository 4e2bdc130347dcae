import { setTimeout as pause } from "node:timers/promises";
import { otherThan, startProbe } from "../probe.ts";
import { none, type Scenario } from "../scenario.ts";

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
