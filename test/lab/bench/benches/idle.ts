import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { startProductAt } from "../../../support/product/product.ts";
import type { Bench } from "../bench.ts";
import { cpuSecondsOf } from "../process-use.ts";

/** Until the compilers of Node and Java have done what a start leaves them to do. */
const SETTLE_MS = 30_000;
const MEASURE_MS = 20_000;
const PARTS = ["postgres", "kafka", "registry"] as const;

/** CPU of every process without requests. */
export const idle: Bench = {
  name: "idle",
  area: "At rest",
  run: async (context) => {
    const product = await startProductAt(await context.newPlace(), {});
    try {
      const groups = new Map<number, string>([
        ...PARTS.map((part) => [context.stack.part(part).pid ?? 0, part] as const),
        ...SERVICE_NAMES.map(
          (name) => [product.supervisor.service(name).program.pid ?? 0, name] as const,
        ),
      ]);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const before = cpuSecondsOf(new Set(groups.keys()));
      await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
      const after = cpuSecondsOf(new Set(groups.keys()));
      const shares = [...groups].map(([group, name]) => ({
        name,
        percent: (((after.get(group) ?? 0) - (before.get(group) ?? 0)) * 100_000) / MEASURE_MS,
      }));
      const total = shares.reduce((sum, { percent }) => sum + percent, 0);
      const figure = (name: string, measured: number) => ({
        name,
        measured,
        unit: "% of a core",
        target: { kind: "reported" } as const,
      });
      return [
        {
          ...figure("idle, the whole product", total),
          target: { kind: "at_most", accept: 4, goal: 3 },
        },
        ...shares.map(({ name, percent }) => figure(`  ${name}`, percent)),
      ];
    } finally {
      await product.stop();
    }
  },
};
