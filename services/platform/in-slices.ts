import { setImmediate } from "node:timers/promises";

/** Maps entries one by one; other requests have their turn after each so many of them. */
export async function inSlices<T, R>(
  entries: readonly T[],
  size: number,
  map: (entry: T, n: number) => R,
): Promise<R[]> {
  const mapped: R[] = [];
  for (const [n, entry] of entries.entries()) {
    if (n > 0 && n % size === 0) await setImmediate();
    mapped.push(map(entry, n));
  }
  return mapped;
}
