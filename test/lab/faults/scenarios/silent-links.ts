import { setTimeout as pause } from "node:timers/promises";
import { otherThan, startProbe } from "../probe.ts";
import { atMost, none, type Scenario } from "../scenario.ts";

const SILENT_MS = 20_000;
/** A statement's own 10 s, the 2 s that its answer may be late, and the wait for a connection of up to 5 s. */
const LONGEST_ANSWER_S = 18;

export const silentPostgres: Scenario = {
  name: "silent-postgres",
  what: "nothing that Postgres sends arrives, for 20 s, while it receives everything; no connection is closed",
  faults: ["F9"],
  promises: ["P1", "P2", "P9"],
  seconds: 55,
  isQuick: true,
  run: async ({ place, product }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 100 });
    place.links.postgres.suffer({ silent: true, directions: ["down"] });
    await pause(SILENT_MS);
    place.links.postgres.heal();
    const result = await probe.stop();
    return [
      atMost("longest wait for an answer", result.longestMs / 1_000, [LONGEST_ANSWER_S, "s"]),
      none("answers other than 200 and 503", otherThan(result, [200, 503])),
    ];
  },
};

export const silentKafka: Scenario = {
  name: "silent-kafka",
  what: "nothing that Kafka sends arrives, for 20 s, while it receives everything; no connection is closed",
  faults: ["F9"],
  promises: ["P1", "P2", "P9"],
  seconds: 55,
  isQuick: true,
  run: async ({ place, product }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 100 });
    place.links.kafka.suffer({ silent: true, directions: ["down"] });
    await pause(SILENT_MS);
    place.links.kafka.heal();
    const result = await probe.stop();
    return [none("requests that failed meanwhile", otherThan(result, [200]))];
  },
};
