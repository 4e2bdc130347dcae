import type { Clock } from "./clock.ts";

/** A read whose result serves everybody for a while; those who ask meanwhile share one read. A failure is not kept. */
export function cachedFor<T>(ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let current: { readonly until: number; readonly result: Promise<T> } | null = null;
  return () => {
    const now = clock.now().getTime();
    if (current !== null && now < current.until) return current.result;
    const started = { until: now + ms, result: read() };
    current = started;
    started.result.catch(() => {
      if (current === started) current = null;
    });
    return started.result;
  };
}
