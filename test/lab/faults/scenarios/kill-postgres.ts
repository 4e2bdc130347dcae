import { setTimeout as pause } from "node:timers/promises";
import { partTargets } from "../killer.ts";
import type { Scenario } from "../scenario.ts";

const TIMES = 2;

export const killPostgres: Scenario = {
  name: "kill-postgres",
  what: "kill -9 of the Postgres server, twice",
  faults: ["F10"],
  promises: ["P1", "P2", "P9"],
  seconds: 55,
  isQuick: true,
  recoveryMs: 5_000,
  run: async ({ place, killed, recover }) => {
    const postgres = partTargets(place.stack).filter(({ name }) => name === "postgres");
    for (let n = 0; n < TIMES; n += 1) {
      for (const target of postgres) {
        await target.kill();
        killed(target.name);
      }
      await recover();
      await pause(2_000);
    }
    return [];
  },
};
