import { setTimeout as pause } from "node:timers/promises";
import { otherThan, startProbe } from "../ask.ts";
import { query } from "../history.ts";
import { atMost, none, type Scenario } from "../scenario.ts";

const TIMES = 15;
const EVERY_MS = 2_000;

export const cutConnections: Scenario = {
  name: "cut-connections",
  what: "every connection to Postgres, Kafka, the registry and the receivers is reset, every 2 s for 30 s",
  faults: ["F9", "F11"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 120,
  isQuick: false,
  run: async ({ place }) => {
    for (let n = 0; n < TIMES; n += 1) {
      for (const link of Object.values(place.links)) link.cut();
      await pause(EVERY_MS);
    }
    return [];
  },
};

const LOST_TIMES = 30;
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
    for (let n = 0; n < LOST_TIMES; n += 1) {
      await query(direct.databaseUrl, TERMINATE);
      await pause(EVERY_MS);
    }
    const result = await probe.stop();
    return [none("answers other than 200 and 503", otherThan(result, [200, 503]))];
  },
};

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
