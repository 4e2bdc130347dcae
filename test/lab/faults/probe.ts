import { setTimeout as pause } from "node:timers/promises";
import { call, type Call } from "../../support/http/call.ts";

export interface ProbeResult {
  /** The number of answers by status; 0: none at all. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How long the slowest answer, or failure, took. */
  readonly longestMs: number;
  /** Refusals, 429 or 503, without Retry-After. */
  readonly withoutRetryAfter: number;
}

const GIVE_UP_MS = 60_000;
/** The statuses of what a service refuses because it is more than it can do. */
export const REFUSALS: ReadonlySet<number> = new Set([429, 503]);

/** Repeats a request until `stop`, which returns what the answers were. */
export function startProbe(url: string, options: Call & { readonly everyMs: number }) {
  const { everyMs, ...request } = options;
  const statuses = new Map<number, number>();
  const over = new AbortController();
  let [longestMs, withoutRetryAfter] = [0, 0];
  const probing = (async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      const answer = await call(url, { timeoutMs: GIVE_UP_MS, ...request }).catch(() => null);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (REFUSALS.has(status) && answer?.headers.has("Retry-After") !== true) {
        withoutRetryAfter += 1;
      }
      await pause(everyMs);
    }
  })();
  return {
    stop: async (): Promise<ProbeResult> => {
      over.abort();
      await probing;
      return { statuses, longestMs, withoutRetryAfter };
    },
  };
}

/** The number of answers whose status is none of these. */
export function otherThan({ statuses }: ProbeResult, expected: readonly number[]): number {
  return [...statuses]
    .filter(([status]) => !expected.includes(status))
    .reduce((sum, [, times]) => sum + times, 0);
}
