import type { AloneOptions, BenchAlone } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { measureFloors, measureSystems, type Results } from "./measure-systems.ts";
import type { PartName } from "./plan.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";
import { soakFigures } from "./soak-figures.ts";
import { burstFigures, hangingFigures, latencyFigures, steadyFigures } from "./webhook-figures.ts";

const OURS: readonly SystemName[] = ["ours"];

interface Parts {
  readonly parts: readonly PartName[];
  readonly systems: readonly SystemName[];
}

function bench(
  name: string,
  { parts, systems }: Parts,
  figuresOf: (results: Results) => Figure[],
): BenchAlone {
  const runAlone = async (options: AloneOptions): Promise<Figure[]> =>
    figuresOf(await measureSystems({ ...options, parts, systems }));
  return { name, area: "Webhooks", runAlone };
}

const bursts: BenchAlone = {
  name: "webhook-bursts",
  area: "Webhooks",
  runAlone: async (options) => {
    options.log("undici alone …");
    const floors = await measureFloors();
    const parts = ["burst-1", "burst-10"] as const;
    return burstFigures(await measureSystems({ ...options, parts, systems: SYSTEM_NAMES }), floors);
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
export const WEBHOOK_BENCHES: readonly BenchAlone[] = [
  bursts,
  bench("webhook-latency", { parts: ["latency"], systems: SYSTEM_NAMES }, latencyFigures),
  bench(
    "webhook-steady",
    { parts: ["steady-200", "steady-1000", "steady-1500"], systems: OURS },
    steadyFigures,
  ),
  bench("webhook-hanging", { parts: ["hanging"], systems: OURS }, hangingFigures),
];
