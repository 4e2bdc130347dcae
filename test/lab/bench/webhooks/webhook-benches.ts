import type { AloneOptions, BenchAlone } from "../bench.ts";
import { measureFloors, measureSystems } from "./measure-systems.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";
import {
  burstFigures,
  hangingFigures,
  latencyFigures,
  soakFigures,
  steadyFigures,
} from "./webhook-figures.ts";

const OURS: readonly SystemName[] = ["ours"];

const bursts: BenchAlone = {
  name: "webhook-bursts",
  area: "Webhooks",
  runAlone: async (options) => {
    options.log("undici alone …");
    const floors = await measureFloors();
    const parts = ["burst-1", "latency", "burst-10"] as const;
    const results = await measureSystems({ ...options, parts, systems: SYSTEM_NAMES });
    return [...burstFigures(results, floors), ...latencyFigures(results)];
  },
};

/** Ours and the slower of the peers on Postgres that a burst does not stop. */
const HALVED: readonly SystemName[] = ["ours", "pg-boss"];

/** Half of the burst's rate of the slower of them, so that both can keep it. */
async function halfOfBurst(log: AloneOptions["log"]): Promise<number> {
  const bursts = await measureSystems({ log, parts: ["burst-1"], systems: HALVED });
  const rates = [...bursts.values()].flatMap(({ "burst-1": burst }) => burst?.perSecond ?? []);
  return Math.floor(Math.min(...rates) / 2);
}

const steady: BenchAlone = {
  name: "webhook-steady",
  area: "Webhooks",
  runAlone: async (options) => {
    const halfPerSecond = await halfOfBurst(options.log);
    const parts = ["steady-50", "steady-200", "steady-half"] as const;
    const of = { ...options, halfPerSecond, parts, systems: SYSTEM_NAMES };
    return steadyFigures(await measureSystems(of), halfPerSecond);
  },
};

const hanging: BenchAlone = {
  name: "webhook-hanging",
  area: "Webhooks",
  runAlone: async (options) =>
    hangingFigures(await measureSystems({ ...options, parts: ["hanging"], systems: OURS })),
};

/** Growth and slowness that only time shows. */
export const soak: BenchAlone = {
  name: "soak",
  area: "Under load for hours",
  once: true,
  isNamedOnly: true,
  runAlone: async (options) =>
    soakFigures(await measureSystems({ ...options, parts: ["soak"], systems: OURS })),
};

/** Deliveries of webhooks: bursts and steady load beside the peers, a hanging endpoint alone. */
export const WEBHOOK_BENCHES: readonly BenchAlone[] = [bursts, steady, hanging];
