import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { call, type Answer, type Call } from "../../support/http/call.ts";

/** Longer than recovery from any kill takes: a request unanswered by then will never be answered. */
export const GIVE_UP_MS = 120_000;
const AGAIN_MS = 100;
/** A client gives up a request that is not answered for so long, longer than the service itself lets one wait. */
const REQUEST_MS = 30_000;

/** A definite answer, or null where the request is to be repeated: no answer, a 5xx, or too many requests. */
export async function ask(url: string, options: Call): Promise<Answer | null> {
  try {
    const answer = await call(url, { timeoutMs: REQUEST_MS, ...options });
    return answer.status >= 500 || answer.status === 429 ? null : answer;
  } catch {
    return null;
  }
}

/** Repeats a request until it is answered, for `giveUpMs`; `doubted`: an earlier attempt may have had its effect. */
export async function askUntilAnswered(
  url: string,
  options: Call,
  giveUpMs: number = GIVE_UP_MS,
): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
  const deadline = performance.now() + giveUpMs;
  for (let doubted = false; ; doubted = true) {
    const answer = await ask(url, options);
    if (answer !== null) return { answer, doubted };
    if (performance.now() > deadline) {
      const what = `${options.method ?? "GET"} ${new URL(url).pathname}`;
      throw new Error(`${what} was not answered for ${giveUpMs / 1_000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Posts once, however often the request is repeated: every attempt has the same idempotency key. */
export async function postOnce(
  url: string,
  options: Omit<Call, "method">,
): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
  const headers = { ...options.headers, "Idempotency-Key": randomUUID() };
  const deadline = performance.now() + GIVE_UP_MS;
  for (let hadDoubt = false; ;) {
    const { answer, doubted } = await askUntilAnswered(url, {
      ...options,
      method: "POST",
      headers,
    });
    hadDoubt ||= doubted;
    const isUnderWay = answer.body?.["code"] === "idempotency_in_progress";
    if (!isUnderWay || performance.now() > deadline) return { answer, doubted: hadDoubt };
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

export interface ProbeResult {
  /** The number of answers by status; 0: none at all. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How long the slowest answer, or failure, took. */
  readonly longestMs: number;
  /** Refusals, 429 or 503, without Retry-After. */
  readonly withoutRetryAfter: number;
}

const PROBE_GIVE_UP_MS = 60_000;
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
      const answer = await call(url, { timeoutMs: PROBE_GIVE_UP_MS, ...request }).catch(() => null);
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
