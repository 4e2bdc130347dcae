import { killAtRandom, partTargets, serviceTargets } from "../killer.ts";
import { DENSE } from "../load.ts";
import type { Scenario } from "../scenario.ts";

/** The long run: `--changes 100000 --kills 200`. */
export const kills: Scenario = {
  name: "kills",
  what: "kill -9 of every service, Postgres, Kafka and the registry in turn at random moments, a fifth of them two at a time",
  faults: ["F1", "F2", "F3", "F4", "F6", "F10", "F17"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 2_400,
  isQuick: false,
  load: DENSE,
  isReplayed: true,
  run: async ({ product, place, settings, random, progress, recover, killed }) => {
    await killAtRandom({
      targets: [...serviceTargets(product.supervisor), ...partTargets(place.stack)],
      kills: settings.kills,
      pauseMs: [1_000, 5_000],
      random,
      isOver: () => progress.failed,
      recover,
      onKill: killed,
    });
    return [];
  },
};
