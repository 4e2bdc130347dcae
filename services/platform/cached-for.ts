import type { Clock } from "./clock.ts";

/**
 * A read whose result serves everybody for a while, whatever they give it; those who ask meanwhile share one read. A failure
 * is not kept.
 */
export function cachedFor<T, Given extends readonly unknown[]>(
  ms: number,
  clock: Clock,
  read: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let current: { readonly until: number; readonly result: Promise<T> } | null = null;
  return (...given) => {
    const now = clock.now().getTime();
    if (current !== null && now < current.until) return current.result;
    const started = { until: now + ms, result: read(...given) };
    current = started;
    started.result.catch(() => {
      if (current === started) current = null;
    });
    return started.result;
  };
}
