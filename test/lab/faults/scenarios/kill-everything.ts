import { setTimeout as pause } from "node:timers/promises";
import { partTargets, serviceTargets } from "../killer.ts";
import type { Scenario } from "../scenario.ts";

const TIMES = 2;

/** Everything dies at the same moment, as when the machine loses power but not its page cache. */
export const killEverything: Scenario = {
  name: "kill-everything",
  what: "kill -9 of all services, Postgres, Kafka and the registry at the same moment, twice",
  faults: ["F1", "F2", "F3", "F4", "F6", "F10", "F17"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 110,
  isQuick: true,
  isReplayed: true,
  run: async ({ place, product, killed, recover }) => {
    const targets = [...serviceTargets(product.supervisor), ...partTargets(place.stack)];
    for (let n = 0; n < TIMES; n += 1) {
      await Promise.all(targets.map((target) => target.kill()));
      for (const { name } of targets) killed(name);
      await recover();
      await pause(2_000);
    }
    return [];
  },
};
