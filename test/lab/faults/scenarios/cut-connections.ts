import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../scenario.ts";

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
