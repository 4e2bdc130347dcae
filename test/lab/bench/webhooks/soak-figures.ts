import { REPORTED, type Figure, type Target } from "../figure.ts";
import type { SoakStretch } from "./measured.ts";
import type { Results } from "./measure-systems.ts";
import { totalOf } from "./usage.ts";

/** Nothing may be more than a tenth worse at the end than at the beginning. */
const HELD: Target = { kind: "at_most_of_floor", accept: 1.1 };

/** The last stretch beside the first. */
export function soakFigures(results: Results): Figure[] {
  const { perSecond = 0, stretches = [] } = results.get("ours")?.soak ?? {};
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError("soak was not measured");
  const held = (name: string, unit: string, of: (stretch: SoakStretch) => number): Figure => ({
    name,
    unit,
    measured: of(last),
    floor: { what: "at the beginning", measured: of(first) },
    target: HELD,
  });
  const missing = stretches.reduce((sum, stretch) => sum + stretch.missing, 0);
  return [
    { name: "orders at half of capacity", unit: "/s", measured: perSecond, target: REPORTED },
    {
      name: "  webhooks that did not arrive",
      unit: "",
      measured: missing,
      target: { kind: "at_most", accept: 0 },
    },
    held("answer → receipt at the end, p50", "ms", ({ p50Ms }) => p50Ms),
    held("answer → receipt at the end, p99", "ms", ({ p99Ms }) => p99Ms),
    held("memory at the end", "MiB", ({ memoryMibByProcess }) => totalOf(memoryMibByProcess)),
    ...memoryRows(first, last),
    held("open files and sockets at the end", "", ({ descriptors }) => descriptors),
    held("growth of the database per order, at the end", "bytes", (one) => one.bytesPerOrder),
    {
      name: "  dead rows",
      unit: "%",
      measured: last.deadRowsPercent,
      floor: { what: "at the beginning", measured: first.deadRowsPercent },
      target: REPORTED,
    },
  ];
}

function memoryRows(first: SoakStretch, last: SoakStretch): Figure[] {
  return [...last.memoryMibByProcess]
    .toSorted(([, a], [, b]) => b - a)
    .map(([process, measured]) => ({
      name: `  ${process}`,
      unit: "MiB",
      measured,
      floor: {
        what: "at the beginning",
        measured: first.memoryMibByProcess.get(process) ?? 0,
      },
      target: REPORTED,
    }));
}
