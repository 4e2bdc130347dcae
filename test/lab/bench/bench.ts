import type { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import type { ProductPlace } from "../../support/product/product.ts";
import type { Figure } from "./figure.ts";

/** The sections of the report, in their order. */
const AREAS = [
  "Webhooks",
  "Orders",
  "API",
  "Events and messages",
  "Desk",
  "At rest",
  "Under load for hours",
] as const;

export type Area = (typeof AREAS)[number];

export interface BenchContext {
  readonly stack: LocalStack;
  /** A new, migrated database on the run's stack with durable settings. */
  newPlace(): Promise<ProductPlace>;
  readonly log: (line: string) => void;
}

interface BenchFacts {
  readonly name: string;
  readonly area: Area;
  /** Measured once however many runs are wanted, because filling its tables takes minutes. */
  readonly once?: true;
  /** Left out where no benchmark is named, because it takes an hour. */
  readonly isNamedOnly?: true;
}

/** A benchmark on the run's stack. */
export interface Bench extends BenchFacts {
  run(context: BenchContext): Promise<readonly Figure[]>;
}

/** A benchmark that starts what it compares by itself, and needs nothing else to run beside it. */
export interface BenchAlone extends BenchFacts {
  runAlone(options: AloneOptions): Promise<readonly Figure[]>;
}

export interface AloneOptions {
  readonly log: (line: string) => void;
  /** How long each steady load lasts. */
  readonly steadySeconds: number;
  /** How long the product is watched under half of the load that it can carry. */
  readonly soakMinutes: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The quantile: `share` of all values lie below it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
