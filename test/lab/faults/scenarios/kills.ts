import { setTimeout as pause } from "node:timers/promises";
import { killAtRandom, partTargets, serviceTargets } from "../killer.ts";
import { DENSE } from "../load.ts";
import { otherThan, startProbe } from "../ask.ts";
import { none, type Scenario } from "../scenario.ts";

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

export const killBroker: Scenario = {
  name: "kill-broker",
  what: "kill -9 of the broker, while a customer goes on creating drafts",
  faults: ["F6"],
  promises: ["P1", "P2", "P9"],
  seconds: 50,
  isQuick: true,
  run: async ({ place, product, killed, recover }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 50 });
    const broker = partTargets(place.stack).find(({ name }) => name === "kafka");
    await broker?.kill();
    killed("kafka");
    await recover();
    return [none("requests that failed meanwhile", otherThan(await probe.stop(), [200]))];
  },
};

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
