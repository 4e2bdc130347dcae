import { parseArgs } from "node:util";
import { PART_NAMES, type PartName } from "./plan.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";

export interface BenchArguments {
  readonly systems: readonly SystemName[];
  readonly withFloor: boolean;
  readonly parts: readonly PartName[];
  /** Share of the full amount of work, above 0 and at most 1. */
  readonly scale: number;
  /** Everything is measured at full scale, so the figures go into the report. */
  readonly isWhole: boolean;
}

/** `[--scale 0.1] [system …] [part …]`: without names, all systems and all parts. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { scale: { type: "string", default: "1" } },
  });
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= 1)) throw new TypeError("--scale is a number above 0, at most 1");
  const known: readonly string[] = [...SYSTEM_NAMES, "floor", ...PART_NAMES];
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new TypeError(`unknown: ${unknown.join(", ")}; choose from ${known.join(", ")}`);
  }
  const systems = SYSTEM_NAMES.filter((name) => positionals.includes(name));
  const parts = PART_NAMES.filter((name) => positionals.includes(name));
  const withFloor = positionals.includes("floor");
  const namesNone = systems.length === 0 && !withFloor;
  return {
    systems: namesNone ? SYSTEM_NAMES : systems,
    withFloor: withFloor || namesNone,
    parts: parts.length === 0 ? PART_NAMES : parts,
    scale,
    isWhole: positionals.length === 0 && scale === 1,
  };
}
