import { setTimeout as pause } from "node:timers/promises";
import { serviceTargets } from "../killer.ts";
import type { Scenario } from "../scenario.ts";

const AWAY_MS = 15_000;
const READY_MS = 60_000;

export const registryAway: Scenario = {
  name: "registry-away",
  what: "the registry is away for 15 s under load; then every service with a database dies and starts without it",
  faults: ["F15"],
  promises: ["P1", "P2", "P9"],
  seconds: 75,
  isQuick: false,
  run: async ({ place, product, killed, recover, log }) => {
    const registry = place.stack.part("registry");
    await registry.stop(0);
    await pause(AWAY_MS);
    log("without the registry the services that run already do all their work");
    await recover();
    const withDatabase = serviceTargets(product.supervisor).filter(
      ({ name }) => name !== "sandbox-carrier" && name !== "platform-carrier",
    );
    for (const target of withDatabase) {
      await target.kill();
      killed(target.name);
    }
    await recover();
    registry.start();
    await registry.whenReady(READY_MS);
    return [];
  },
};
