import type { LocalStack } from "../../infra/local-stack/local-stack.ts";
import type { ProductPlace } from "../support/product/product.ts";
import type { Figure } from "./figure.ts";

export interface BenchContext {
  readonly stack: LocalStack;
  /** A new, migrated database on the run's stack with durable settings. */
  newPlace(): Promise<ProductPlace>;
  readonly log: (line: string) => void;
}

export interface Bench {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Figure[]>;
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
