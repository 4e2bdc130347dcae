/** Over what time the rate is measured. */
const SPAN_MS = 250;
/** Below this rate nothing waits for more, because little would come. */
const QUIET_PER_SECOND = 100;
/** At this rate the wait is the longest. */
const BUSY_PER_SECOND = 200;
/** So many are worth a batch; where they come sooner, the wait is shorter. */
const BATCH = 30;

/**
 * How long what is batched waits for more, because a batch costs much more than what is in it, often in other processes
 * too: not at all while little comes, and under load until some have come together.
 */
export class Linger {
  readonly #mostMs: number;
  /** What came in the last span; what is older counts less and less. */
  #recent = 0;
  #atMs = 0;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Counts what came. */
  found(count: number, nowMs: number): void {
    this.#recent = this.#recentAt(nowMs) + count;
    this.#atMs = nowMs;
  }

  msAt(nowMs: number): number {
    const perSecond = (this.#recentAt(nowMs) * 1_000) / SPAN_MS;
    const share = (perSecond - QUIET_PER_SECOND) / (BUSY_PER_SECOND - QUIET_PER_SECOND);
    const longestMs = Math.min(this.#mostMs, (BATCH * 1_000) / perSecond);
    return longestMs * Math.min(Math.max(share, 0), 1);
  }

  #recentAt(nowMs: number): number {
    return this.#recent * Math.exp((this.#atMs - nowMs) / SPAN_MS);
  }
}
