import type { BenchAlone } from "../bench.ts";
import { measureFloors, measureSystems } from "./measure-systems.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";
import { soakFigures } from "./soak-figures.ts";
import { burstFigures, hangingFigures, latencyFigures, steadyFigures } from "./webhook-figures.ts";

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

const steady: BenchAlone = {
  name: "webhook-steady",
  area: "Webhooks",
  runAlone: async (options) => {
    const parts = ["steady-200", "steady-1000", "steady-1500", "hanging"] as const;
    const results = await measureSystems({ ...options, parts, systems: OURS });
    return [...steadyFigures(results), ...hangingFigures(results)];
  },
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

/** Deliveries of webhooks: bursts and latency beside the peers, steady load and a hanging endpoint alone. */
export const WEBHOOK_BENCHES: readonly BenchAlone[] = [bursts, steady];
