import { setTimeout as pause } from "node:timers/promises";
import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import type { Scenario } from "../scenario.ts";

/** Longer than a session of a consumer group and a lease of a delivery's claim on its endpoint. */
const FROZEN_MS = 12_000;

export const freezeServices: Scenario = {
  name: "freeze-services",
  what: "SIGSTOP of each service in turn for 12 s, longer than its consumer's session",
  faults: ["F5", "F18"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 180,
  isQuick: false,
  run: async ({ product, recover, log }) => {
    for (const name of SERVICE_NAMES) {
      log(`freezing ${name}`);
      const { program } = product.supervisor.service(name);
      program.pause();
      await pause(FROZEN_MS);
      program.resume();
      await recover();
    }
    return [];
  },
};
