import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../scenario.ts";

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
